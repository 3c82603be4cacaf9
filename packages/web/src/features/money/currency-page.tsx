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
import { sourceNames } from "./rate-labels.tsx";
import "./currencies.css";

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
      title={`${code} exchange rates`}
      actions={
        admin &&
        canOverride &&
        history.data && <Button onClick={() => setOverriding(true)}>Override rate</Button>
      }
    >
      <p>
        <Link href="/currencies">All currencies</Link>
      </p>
      {isBase && <p>{code} is the base currency, so its rate is always 1.</p>}
      <Loaded query={history}>
        {({ data, overrides, meta }) => (
          <Panels>
            <section aria-labelledby="overrides">
              <h2 id="overrides">Overrides</h2>
              <Overrides overrides={overrides} admin={admin} />
            </section>
            <section aria-labelledby="rates">
              <h2 id="rates">
                {code} per 1 {meta.base}
              </h2>
              <PeriodForm period={meta} code={code} show={setPeriod} />
              {data.length === 0 ? (
                <Empty title="No rates published in this period" />
              ) : (
                <>
                  <RateChart
                    points={data.map(({ rateDate, rate }) => ({ day: rateDate, value: Number(rate) }))}
                  />
                  <Table
                    stacked
                    caption={`${code} exchange rates`}
                    rows={data.toReversed()}
                    rowKey={({ rateDate }) => rateDate}
                    columns={[
                      { heading: "Date", cell: ({ rateDate }) => plainDay(rateDate) },
                      { heading: "Rate", numeric: true, phone: "end", cell: ({ rate }) => number(rate) },
                      {
                        heading: "Source",
                        cell: ({ rateSource, rateDocument }) =>
                          [sourceNames[rateSource], rateDocument].filter(Boolean).join(", "),
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
    <Form form={form} submitLabel="Show rates" wide>
      <div className="filters">
        <DateField form={form} name="from" label="From" />
        <DateField form={form} name="to" label="To" />
      </div>
    </Form>
  );
}

function Overrides({ overrides, admin }: { overrides: RateOverride[]; admin: boolean }) {
  const client = useQueryClient();
  const [removing, setRemoving] = useState<RateOverride>();
  const removed = async () => {
    setRemoving(undefined);
    toast("Override removed. Published rates apply again.");
    await client.invalidateQueries({ queryKey: ["currencies"] });
  };
  if (overrides.length === 0)
    return <p>No overrides: published rates apply.{admin ? "" : " An admin can override them."}</p>;
  return (
    <>
      <Table
        stacked
        caption="Overrides"
        rows={overrides}
        rowKey={({ validFrom }) => validFrom}
        columns={[
          {
            heading: "Period",
            cell: ({ validFrom, validTo }) =>
              validTo ? `${plainDay(validFrom)} to ${plainDay(validTo)}` : `From ${plainDay(validFrom)}`,
          },
          { heading: "Rate", numeric: true, cell: ({ rate, base }) => `${number(rate)} per 1 ${base}` },
          { heading: "Reason", cell: ({ reason }) => reason },
          ...(admin
            ? [
                {
                  heading: "Actions",
                  cell: (override: RateOverride) => (
                    <Button
                      data-size="small"
                      aria-label={`Remove the override from ${plainDay(override.validFrom)}`}
                      onClick={() => setRemoving(override)}
                    >
                      Remove
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
      title="Remove this override?"
      confirmLabel="Remove override"
      action={() =>
        edit.remove((ifMatch) => svc.delete("/api/v1/currencies/{code}/override", { ...request, ifMatch }))
      }
      onDone={onDone}
      onClose={onClose}
    >
      <p>Published rates apply again for its whole period, including in reports on past days.</p>
    </ConfirmAction>
  );
}

/** The parts of an override that people compare. Its first day tells it from the others of its currency. */
const overrideParts: Part<RateOverride>[] = [
  { label: "Rate", names: ["rate"], show: ({ rate }) => number(rate) },
  { label: "Last day", names: ["validTo"], show: ({ validTo }) => (validTo ? plainDay(validTo) : "No end") },
  { label: "Reason", names: ["reason"], show: ({ reason }) => reason },
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
      if (saved) toast(`Override for ${code} saved.`);
      onClose();
      await client.invalidateQueries({ queryKey: ["currencies"] });
    },
    { draft: `rate ${code} ${workspace.id}` },
  );
  const replaced = overrides.find(({ validFrom }) => validFrom === firstDay(form.values.validFrom));
  const edit = useEdit(replaced, overrideParts, { follow: true });
  return (
    <Dialog title={`Override the ${code} rate`} onClose={onClose}>
      <p>
        The override replaces published rates in its period. Webhooks receive the event{" "}
        <code>currency.changed</code>, and the audit log records the change.
      </p>
      <Form form={form} submitLabel="Save override">
        <DecimalField
          form={form}
          name="rate"
          label={`${code} per 1 ${base}`}
          groups={false}
          example="1.0850"
          autoComplete="off"
          required
        />
        <DateField form={form} name="validFrom" label="First day" hint="Defaults to today." />
        <DateField form={form} name="validTo" label="Last day" hint="Leave empty for no end." />
        <TextField form={form} name="reason" label="Reason" maxLength={500} required />
      </Form>
    </Dialog>
  );
}
