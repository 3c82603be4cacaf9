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
import { Curve } from "./curve.tsx";
import { sourceNames } from "./rate.tsx";
import "./currencies.css";

/** One currency: its rates over time, and the workspace's own. */
export default function CurrencyPage() {
  const { code = "" } = useParams();
  const { workspace } = useCurrentUser();
  const [span, setSpan] = useState({ from: "", to: "" });
  const [overriding, setOverriding] = useState(false);
  const history = useQuery({
    queryKey: ["currencies", workspace.id, code, span],
    queryFn: ({ signal }) => get<History>(query(`/api/v1/currencies/${code}/rates`, span), { signal }),
    placeholderData: (before) => before,
  });
  const base = code === workspace.baseCurrency;
  const admin = hasRole(workspace.role, "admin");
  return (
    <Page
      title={`${code} rates`}
      actions={
        admin && !base && history.data && <Button onClick={() => setOverriding(true)}>Set an own rate</Button>
      }
    >
      <p>
        <Link href="/currencies">All currencies</Link>
      </p>
      {base && <p>{code} is the base currency: one is one.</p>}
      <Loaded query={history}>
        {({ data, overrides, meta }) => (
          <>
            <section aria-labelledby="overrides">
              <h2 id="overrides">Rates of this workspace</h2>
              <Overrides overrides={overrides} admin={admin} />
            </section>
            <section aria-labelledby="rates">
              <h2 id="rates">
                {code} for one {meta.base}
              </h2>
              <Span span={meta} code={code} show={setSpan} />
              {data.length === 0 ? (
                <Empty title="No rate was published in these days" />
              ) : (
                <>
                  <Curve
                    points={data.map(({ rateDate, rate }) => ({ day: rateDate, value: Number(rate) }))}
                  />
                  <Table
                    caption={`Rates of ${code}`}
                    rows={data.toReversed()}
                    rowKey={({ rateDate }) => rateDate}
                    columns={[
                      { heading: "Day", cell: ({ rateDate }) => plainDay(rateDate) },
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

function Span({ span: { from, to }, code, show }: { span: Days; code: string; show: (span: Days) => void }) {
  const form = useForm<Days>({ from, to }, async (wanted) => {
    // Asked for first, so that words about a wrong day stand at its field.
    await get(query(`/api/v1/currencies/${code}/rates`, wanted));
    show(wanted);
  });
  return (
    <Form form={form} submitLabel="Show" wide>
      <div className="filters">
        <TextField form={form} name="from" label="From" type="date" />
        <TextField form={form} name="to" label="To" type="date" />
      </div>
    </Form>
  );
}

function Overrides({ overrides, admin }: { overrides: Override[]; admin: boolean }) {
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<Override>();
  const leave = useMutation({
    mutationFn: ({ currency, validFrom }: Override) =>
      remove(query(`/api/v1/currencies/${currency}/override`, { valid_from: validFrom })),
    onSuccess: async () => {
      setLeaving(undefined);
      toast("Published rates hold again.");
      await client.invalidateQueries({ queryKey: ["currencies"] });
    },
  });
  if (overrides.length === 0)
    return <p>None: published rates hold.{admin ? "" : " An admin can set one."}</p>;
  return (
    <>
      <Table
        caption="Rates of this workspace"
        rows={overrides}
        rowKey={({ validFrom }) => validFrom}
        columns={[
          {
            heading: "Days",
            cell: ({ validFrom, validTo }) =>
              validTo ? `${plainDay(validFrom)} to ${plainDay(validTo)}` : `from ${plainDay(validFrom)} on`,
          },
          { heading: "Rate", numeric: true, cell: ({ rate, base }) => `${number(rate)} for one ${base}` },
          { heading: "Reason", cell: ({ reason }) => reason },
          ...(admin
            ? [
                {
                  heading: "Change",
                  cell: (override: Override) => (
                    <Button
                      data-size="small"
                      aria-label={`Remove the rate from ${plainDay(override.validFrom)} on`}
                      onClick={() => setLeaving(override)}
                    >
                      Remove
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {leaving && (
        <ConfirmDialog
          title="Remove this rate?"
          confirmLabel="Remove"
          busy={leave.isPending}
          onConfirm={() => leave.mutate(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>Published rates hold again on all its days, also for reports on days that are over.</p>
          <Failure error={leave.error} />
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
    toast(`The rate of ${code} is set.`);
    onClose();
    await client.invalidateQueries({ queryKey: ["currencies"] });
  });
  return (
    <Dialog title={`An own rate of ${code}`} onClose={onClose}>
      <p>
        It wins over published rates on its days. Webhooks hear of it as <code>currency.changed</code>, and
        the audit log keeps it.
      </p>
      <Form form={form} submitLabel="Set">
        <TextField
          form={form}
          name="rate"
          label={`${code} for one ${base}`}
          inputMode="decimal"
          placeholder="1.0850"
          autoComplete="off"
          required
        />
        <TextField form={form} name="validFrom" label="First day" type="date" hint="Without one: today." />
        <TextField form={form} name="validTo" label="Last day" type="date" hint="Without one: for good." />
        <TextField form={form} name="reason" label="Reason" maxLength={500} required />
      </Form>
    </Dialog>
  );
}
