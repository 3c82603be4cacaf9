import type { History } from "@svc/core/money/listing";
import type { View as Override } from "@svc/core/money/override";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { get, put, query, remove } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { number, plainDay } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
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
    queryFn: ({ signal }) => get<History>(query(`/api/v1/currencies/${code}/rates`, period), { signal }),
    placeholderData: (previous) => previous,
  });
  const isBase = code === workspace.baseCurrency;
  const admin = hasRole(workspace.role, "admin");
  return (
    <Page
      title={`${code} exchange rates`}
      actions={
        admin && !isBase && history.data && <Button onClick={() => setOverriding(true)}>Override rate</Button>
      }
    >
      <p>
        <Link href="/currencies">All currencies</Link>
      </p>
      {isBase && <p>{code} is the base currency, so its rate is always 1.</p>}
      <Loaded query={history}>
        {({ data, overrides, meta }) => (
          <>
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
                    caption={`${code} exchange rates`}
                    rows={data.toReversed()}
                    rowKey={({ rateDate }) => rateDate}
                    columns={[
                      { heading: "Date", cell: ({ rateDate }) => plainDay(rateDate) },
                      { heading: "Rate", numeric: true, cell: ({ rate }) => number(rate) },
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
          </>
        )}
      </Loaded>
      {overriding && (
        <OverrideDialog code={code} base={workspace.baseCurrency} onClose={() => setOverriding(false)} />
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
    await get(query(`/api/v1/currencies/${code}/rates`, entered));
    show(entered);
  });
  return (
    <Form form={form} submitLabel="Show rates" wide>
      <div className="filters">
        <TextField form={form} name="from" label="From" type="date" />
        <TextField form={form} name="to" label="To" type="date" />
      </div>
    </Form>
  );
}

function Overrides({ overrides, admin }: { overrides: Override[]; admin: boolean }) {
  const client = useQueryClient();
  const [removing, setRemoving] = useState<Override>();
  const removal = useMutation({
    mutationFn: ({ currency, validFrom }: Override) =>
      remove(query(`/api/v1/currencies/${currency}/override`, { valid_from: validFrom })),
    onSuccess: async () => {
      setRemoving(undefined);
      toast("Override removed. Published rates apply again.");
      await client.invalidateQueries({ queryKey: ["currencies"] });
    },
  });
  if (overrides.length === 0)
    return <p>No overrides: published rates apply.{admin ? "" : " An admin can override them."}</p>;
  return (
    <>
      <Table
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
                  cell: (override: Override) => (
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
        <ConfirmDialog
          title="Remove this override?"
          confirmLabel="Remove override"
          busy={removal.isPending}
          onConfirm={() => removal.mutate(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>Published rates apply again for its whole period, including in reports on past days.</p>
          <Failure error={removal.error} />
        </ConfirmDialog>
      )}
    </>
  );
}

function OverrideDialog({ code, base, onClose }: { code: string; base: string; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({ rate: "", validFrom: "", validTo: "", reason: "" }, async (values) => {
    await put(`/api/v1/currencies/${code}/override`, {
      rate: values.rate.trim(),
      reason: values.reason,
      ...(values.validFrom && { validFrom: values.validFrom }),
      ...(values.validTo && { validTo: values.validTo }),
    });
    toast(`Override for ${code} saved.`);
    onClose();
    await client.invalidateQueries({ queryKey: ["currencies"] });
  });
  return (
    <Dialog title={`Override the ${code} rate`} onClose={onClose}>
      <p>
        The override replaces published rates in its period. Webhooks receive the event{" "}
        <code>currency.changed</code>, and the audit log records the change.
      </p>
      <Form form={form} submitLabel="Save override">
        <TextField
          form={form}
          name="rate"
          label={`${code} per 1 ${base}`}
          inputMode="decimal"
          placeholder="1.0850"
          autoComplete="off"
          required
        />
        <TextField form={form} name="validFrom" label="First day" type="date" hint="Defaults to today." />
        <TextField form={form} name="validTo" label="Last day" type="date" hint="Leave empty for no end." />
        <TextField form={form} name="reason" label="Reason" maxLength={500} required />
      </Form>
    </Dialog>
  );
}
