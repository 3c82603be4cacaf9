import type { Profile } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { toast } from "../../ui/toast.tsx";
import { openCookieSettings, useConsent } from "../consent/cookie-consent.tsx";
import { profileParts } from "./profile-parts.ts";

/** Settings > Preferences: language, formats and cookies. */
export default function Preferences() {
  return (
    <Page title="Preferences">
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

function formValues({ locale, timezone, dateFormat }: Profile) {
  return { locale, timezone, dateFormat };
}

function Localization() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const edit = useEdit(me, profileParts);
  const form = useForm(
    formValues(me),
    async (values) => {
      const { resource, saved } = await edit.save(values, (changes, ifMatch) =>
        svc.patch("/user/profile", { body: changes, ifMatch }),
      );
      form.replace(formValues(resource));
      await client.invalidateQueries({ queryKey: ["me"] });
      if (saved) toast("Preferences saved.");
    },
    { draft: "preferences" },
  );
  return (
    <section aria-labelledby="localization">
      <h2 id="localization">Language and region</h2>
      <Form form={form} submitLabel="Save changes">
        <SelectField
          form={form}
          name="locale"
          label="Number and date language"
          options={withCurrent(locales, me.locale).map((value) => ({ value, label: nativeName(value) }))}
        />
        <SelectField
          form={form}
          name="timezone"
          label="Time zone"
          options={withCurrent(["UTC", ...Intl.supportedValuesOf("timeZone")], me.timezone).map((value) => ({
            value,
            label: value.replaceAll("_", " "),
          }))}
        />
        <SelectField
          form={form}
          name="dateFormat"
          label="Date format"
          options={dateFormats.map((value) => ({ value, label: value }))}
        />
      </Form>
    </section>
  );
}

function CookiePreferences() {
  const choice = useConsent();
  return (
    <section aria-labelledby="cookies">
      <h2 id="cookies">Cookie Preferences</h2>
      <p>
        {choice
          ? `Allowed categories since ${day(new Date(choice.at).toISOString())}: ${choice.categories.join(", ")}.`
          : "You have not made a choice yet, so only essential cookies are used."}
      </p>
      <Button onClick={openCookieSettings}>Cookie Preferences</Button>
    </section>
  );
}

function withCurrent(values: readonly string[], current: string): string[] {
  return [...new Set([...values, current])];
}

function nativeName(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}
