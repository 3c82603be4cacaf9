import type { Currency } from "@svc/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { number, plainDay } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { BaseCurrencyDialog } from "./base-currency-dialog.tsx";
import { messages } from "./messages.ts";
import { RateBadges } from "./rate-labels.tsx";

/** Lists every supported currency with today's exchange rate. */
export default function Currencies() {
  const { workspace } = useCurrentUser();
  const [search, setSearch] = useState("");
  const settings = useWorkspaceSettings();
  const [changing, setChanging] = useState(false);
  const query = useQuery({
    queryKey: ["currencies", workspace.id],
    queryFn: ({ signal }) => svc.get("/api/v1/currencies", { signal }),
  });
  return (
    <Page
      title={messages.title}
      actions={
        hasRole(workspace.role, "admin") && (
          <Button onClick={() => setChanging(true)}>{messages.baseCurrency.change}</Button>
        )
      }
    >
      <Loaded query={query}>
        {({ data, meta }) => {
          const found = data.filter(({ code, name }) =>
            `${code} ${name}`.toLowerCase().includes(search.trim().toLowerCase()),
          );
          return (
            <>
              <p>{messages.lead(meta.base)}</p>
              <div className="field">
                <label htmlFor="currency-search">{messages.search}</label>
                <input
                  id="currency-search"
                  type="search"
                  value={search}
                  onChange={({ target }) => setSearch(target.value)}
                />
              </div>
              <p role="status" className="hint">
                {messages.found(number(found.length), number(meta.count))}
              </p>
              {found.length === 0 ? (
                <Empty title={messages.noMatch} />
              ) : (
                <Table
                  stacked
                  caption={messages.title}
                  rows={found}
                  rowKey={({ code }) => code}
                  columns={columns}
                />
              )}
              <p className="hint">{messages.sources}</p>
            </>
          );
        }}
      </Loaded>
      {changing && settings.data && (
        <BaseCurrencyDialog settings={settings.data} onClose={() => setChanging(false)} />
      )}
    </Page>
  );
}

const columns = [
  {
    heading: messages.currency,
    cell: ({ code, name }: Currency) => (
      <>
        <Link href={`/currencies/${code}`}>{code}</Link> {name}
      </>
    ),
  },
  {
    heading: messages.rate,
    numeric: true as const,
    phone: "end" as const,
    cell: ({ rate }: Currency) => (rate ? short(rate) : messages.noRate),
  },
  {
    heading: messages.date,
    cell: ({ rateDate }: Currency) => rateDate && <span className="nowrap">{plainDay(rateDate)}</span>,
  },
  {
    heading: messages.source,
    cell: ({ rateSource, rateDocument }: Currency) => (
      <span title={rateDocument ?? undefined}>{rateSource && messages.sourceNames[rateSource]}</span>
    ),
  },
  { heading: messages.status, cell: (listed: Currency) => <RateBadges {...listed} /> },
];

/** Rounds to seven significant digits. The currency's page shows all digits. */
function short(rate: string): string {
  return number(Number(rate).toPrecision(7));
}
