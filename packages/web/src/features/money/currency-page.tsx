import type { NewRateOverride, RateOverride } from "@svc/client";
import { codes } from "@svc/core/money/currency";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { number, plainDay } from "../../base/format.ts";
import { getFiltered } from "../../base/get-filtered.ts";
import type { Part } from "../../base/versions.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DecimalField, Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { dayIn } from "../tracking/time-zone.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { RateChart } from "./rate-chart.tsx";
import "./currencies.css";
import type { RateSource } from "@svc/core/money/rate-selection";
import { code as asCode, RichText } from "../../ui/rich-text.tsx";
import { messages } from "./messages.ts";

/** A currency: its exchange rates over time, and the workspace's overrides. */
export default function CurrencyPage() {
  const { code = "" } = useParams();
  const { workspace } = useCurrentUser();
  const [period, setPeriod] = useState({ from: "", to: "" });
  const [overriding, setOverriding] = useState(false);
  const history = useQuery({
    queryKey: ["currencies", workspace.id, code, period],
    queryFn: ({ signal }) =>
      getFiltered("/api/v1/currencies/{code}/rates", period, { path: { code }, signal }),
    placeholderData: (previous) => previous,
  });
  const isBase = code === workspace.baseCurrency;
  // Currencies that ended have fixed rates.
  const canOverride = !isBase && codes.includes(code);
  const admin = hasRole(workspace.role, "admin");
  return (
    <Page
      title={messages.rates.title(code)}
      actions={
        admin &&
        canOverride &&
        history.data && <Button onClick={() => setOverriding(true)}>{messages.override.ask}</Button>
      }
    >
      <p>
        <Link href="/currencies">{messages.rates.all}</Link>
      </p>
      {isBase && <p>{messages.rates.isBase(code)}</p>}
      <Loaded query={history}>
        {({ data, overrides, meta }) => (
          <Panels>
            <section aria-labelledby="overrides">
              <h2 id="overrides">{messages.override.title}</h2>
              <Overrides overrides={overrides} admin={admin} />
            </section>
            <section aria-labelledby="rates">
              <h2 id="rates">{messages.rates.per(code, meta.base)}</h2>
              <PeriodForm period={meta} code={code} show={setPeriod} />
              {data.length === 0 ? (
                <Empty title={messages.rates.none} />
              ) : (
                <>
                  <RateChart
                    points={data.map(({ rateDate, rate }) => ({ day: rateDate, value: Number(rate) }))}
                  />
                  <Table
                    stacked
                    caption={messages.rates.title(code)}
                    rows={data.toReversed()}
                    rowKey={({ rateDate }) => rateDate}
                    columns={[
                      { heading: messages.date, cell: ({ rateDate }) => plainDay(rateDate) },
                      {
                        heading: messages.rate,
                        numeric: true,
                        phone: "end",
                        cell: ({ rate }) => number(rate),
                      },
                      {
                        heading: messages.source,
                        cell: ({ rateSource, rateDocument }) => sourceText(rateSource, rateDocument),
                      },
                    ]}
                  />
                </>
              )}
            </section>
          </Panels>
        )}
      </Loaded>
      {overriding && (
        <OverrideDialog
          code={code}
          base={workspace.baseCurrency}
          overrides={history.data?.overrides ?? []}
          onClose={() => setOverriding(false)}
        />
      )}
    </Page>
  );
}

function sourceText(source: RateSource, document: string | null): string {
  const name = messages.sourceNames[source];
  return document ? messages.sourceDocument(name, document) : name;
}

type Days = { from: string; to: string };

function PeriodForm({
  period: { from, to },
  code,
  show,
}: {
  period: Days;
  code: string;
  show: (period: Days) => void;
}) {
  const form = useForm<Days>({ from, to }, async (entered) => {
    // Request the rates here first, so that validation errors appear at the fields.
    await getFiltered("/api/v1/currencies/{code}/rates", entered, { path: { code } });
    show(entered);
  });
  return (
    <Form form={form} submitLabel={messages.rates.show} wide>
      <div className="filters">
        <DateField form={form} name="from" label={messages.rates.from} />
        <DateField form={form} name="to" label={messages.rates.to} />
      </div>
    </Form>
  );
}

function Overrides({ overrides, admin }: { overrides: RateOverride[]; admin: boolean }) {
  const client = useQueryClient();
  const [removing, setRemoving] = useState<RateOverride>();
  const removed = async () => {
    setRemoving(undefined);
    toast(messages.override.removed);
    await client.invalidateQueries({ queryKey: ["currencies"] });
  };
  if (overrides.length === 0) return <p>{admin ? messages.override.none : messages.override.noneAskAdmin}</p>;
  return (
    <>
      <Table
        stacked
        caption={messages.override.title}
        rows={overrides}
        rowKey={({ validFrom }) => validFrom}
        columns={[
          {
            heading: messages.override.period,
            cell: ({ validFrom, validTo }) =>
              validTo
                ? messages.override.fromTo(plainDay(validFrom), plainDay(validTo))
                : messages.override.from(plainDay(validFrom)),
          },
          {
            heading: messages.rate,
            numeric: true,
            cell: ({ rate, base }) => messages.override.ratePer(number(rate), base),
          },
          { heading: messages.override.reason, cell: ({ reason }) => reason },
          ...(admin
            ? [
                {
                  heading: messages.override.actions,
                  cell: (override: RateOverride) => (
                    <Button
                      data-size="small"
                      aria-label={messages.override.removeFrom(plainDay(override.validFrom))}
                      onClick={() => setRemoving(override)}
                    >
                      {messages.override.remove}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {removing && (
        <RemoveOverrideDialog
          override={removing}
          onDone={() => void removed()}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function RemoveOverrideDialog({
  override,
  onDone,
  onClose,
}: {
  override: RateOverride;
  onDone: () => void;
  onClose: () => void;
}) {
  const { currency, validFrom } = override;
  const edit = useEdit(override, overrideParts);
  const request = { path: { code: currency }, query: { valid_from: validFrom } };
  return (
    <ConfirmAction
      title={messages.override.removeQuestion}
      confirmLabel={messages.override.removeConfirm}
      action={() =>
        edit.remove((ifMatch) => svc.delete("/api/v1/currencies/{code}/override", { ...request, ifMatch }))
      }
      onDone={onDone}
      onClose={onClose}
    >
      <p>{messages.override.removeWarning}</p>
    </ConfirmAction>
  );
}

/** The parts of an override that people compare. Its first day tells it from the others of its currency. */
const overrideParts: Part<RateOverride>[] = [
  { label: messages.rate, names: ["rate"], show: ({ rate }) => number(rate) },
  {
    label: messages.override.lastDay,
    names: ["validTo"],
    show: ({ validTo }) => (validTo ? plainDay(validTo) : messages.override.noEnd),
  },
  { label: messages.override.reason, names: ["reason"], show: ({ reason }) => reason },
];

function OverrideDialog({
  code,
  base,
  overrides,
  onClose,
}: {
  code: string;
  base: string;
  overrides: readonly RateOverride[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { workspace } = useCurrentUser();
  const zone = useWorkspaceSettings().data?.timezone ?? "UTC";
  const firstDay = (entered: string) => entered || dayIn(zone, new Date());
  const form = useForm(
    { rate: "", validFrom: "", validTo: "", reason: "" },
    async (values) => {
      const changes = {
        rate: values.rate,
        reason: values.reason,
        ...(values.validFrom && { validFrom: values.validFrom }),
        validTo: values.validTo || null,
      };
      const send = (changes: NewRateOverride, ifMatch?: string) =>
        svc.put("/api/v1/currencies/{code}/override", { path: { code }, body: changes, ifMatch });
      const saved = replaced ? (await edit.save(changes, send)).saved : Boolean(await send(changes));
      if (saved) toast(messages.override.saved(code));
      onClose();
      await client.invalidateQueries({ queryKey: ["currencies"] });
    },
    { draft: `rate ${code} ${workspace.id}` },
  );
  const replaced = overrides.find(({ validFrom }) => validFrom === firstDay(form.values.validFrom));
  const edit = useEdit(replaced, overrideParts, { follow: true });
  return (
    <Dialog title={messages.override.dialog(code)} onClose={onClose}>
      <p>
        <RichText text={messages.override.lead} marks={{ code: asCode }} />
      </p>
      <Form form={form} submitLabel={messages.override.save}>
        <DecimalField
          form={form}
          name="rate"
          label={messages.rates.per(code, base)}
          groups={false}
          example="1.0850"
          autoComplete="off"
          required
        />
        <DateField
          form={form}
          name="validFrom"
          label={messages.override.firstDay}
          hint={messages.override.firstDayHint}
        />
        <DateField
          form={form}
          name="validTo"
          label={messages.override.lastDay}
          hint={messages.override.lastDayHint}
        />
        <TextField form={form} name="reason" label={messages.override.reason} maxLength={500} required />
      </Form>
    </Dialog>
  );
}
