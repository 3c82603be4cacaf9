import type { Profile } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { readTag, writeTag } from "../../base/locale-tag.ts";
import { Button } from "../../ui/button.tsx";
import { ComboField } from "../../ui/combo-field.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { toast } from "../../ui/toast.tsx";
import { openCookieSettings, useConsent } from "../consent/cookie-consent.tsx";
import { settingsMessages } from "../consent/messages.ts";
import { weekdays } from "../workspace/workspace-settings.ts";
import { nativeName, profileParts } from "./profile-parts.ts";
import { preferenceMessages as text } from "./settings-messages.ts";

/** Settings > Preferences: language, formats and cookies. */
export default function Preferences() {
  return (
    <Page title={text.title}>
      <Panels>
        <Localization />
        <CookiePreferences />
      </Panels>
    </Page>
  );
}

/** The languages offered for formatting numbers and dates. */
const locales = ["en", "en-GB", "en-US", "de", "de-CH", "fr", "it", "es", "pt-BR", "nl", "pl", "sv", "ja"];

type DateFormat = Profile["dateFormat"];

const dateFormats: readonly DateFormat[] = ["YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY"];

/** The first days of the week that are offered: Monday, Sunday and Saturday. */
const weekStarts = [1, 7, 6];

function formValues({ locale, timezone, dateFormat }: Profile) {
  const { language, hours, weekStart } = readTag(locale);
  return { language, timezone, dateFormat, hours: String(hours), weekStart: String(weekStart) };
}

/** Returns the profile fields of the form. The locale has the hours and the first day of the week. */
function fieldsOf({ language, timezone, dateFormat, hours, weekStart }: ReturnType<typeof formValues>) {
  const locale = writeTag({ language, hours: hours === "12" ? 12 : 24, weekStart: Number(weekStart) });
  return { locale, timezone, dateFormat };
}

function Localization() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const edit = useEdit(me, profileParts);
  const saved = formValues(me);
  const form = useForm(
    saved,
    async (values) => {
      const { resource, saved: isSaved } = await edit.save(fieldsOf(values), (changes, ifMatch) =>
        svc.patch("/user/profile", { body: changes, ifMatch }),
      );
      form.replace(formValues(resource));
      await client.invalidateQueries({ queryKey: ["me"] });
      if (isSaved) toast(text.saved);
    },
    { draft: "preferences" },
  );
  return (
    <section aria-labelledby="localization">
      <h2 id="localization">{text.languageAndRegion}</h2>
      <Form form={form} submitLabel={text.save}>
        <ComboField
          form={form}
          name="language"
          label={text.locale}
          options={withCurrent(locales, saved.language).map((value) => ({ value, label: nativeName(value) }))}
        />
        <ComboField
          form={form}
          name="timezone"
          label={text.timezone}
          hint={text.timezoneHint}
          options={withCurrent(["UTC", ...Intl.supportedValuesOf("timeZone")], me.timezone).map((value) => ({
            value,
            label: value.replaceAll("_", " "),
          }))}
        />
        <SelectField
          form={form}
          name="dateFormat"
          label={text.dateFormat}
          options={dateFormats.map((value) => ({ value, label: value }))}
        />
        <SelectField
          form={form}
          name="hours"
          label={text.hours}
          options={[12, 24].map((hours) => ({ value: String(hours), label: text.hoursOf(hours) }))}
        />
        <SelectField
          form={form}
          name="weekStart"
          label={text.weekStart}
          options={[...new Set([...weekStarts, Number(saved.weekStart)])].map((day) => ({
            value: String(day),
            label: weekdays()[day - 1] ?? "",
          }))}
        />
      </Form>
    </section>
  );
}

function CookiePreferences() {
  const choice = useConsent();
  return (
    <section aria-labelledby="cookies">
      <h2 id="cookies">{text.cookies}</h2>
      <p>
        {choice
          ? text.cookiesAllowed(
              choice.categories.map((id) => settingsMessages.categories[id]),
              day(new Date(choice.at).toISOString()),
            )
          : text.cookiesNotChosen}
      </p>
      <Button onClick={openCookieSettings}>{text.cookies}</Button>
    </section>
  );
}

function withCurrent(values: readonly string[], current: string): string[] {
  return [...new Set([...values, current])];
}
