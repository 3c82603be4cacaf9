import type { List, Listed } from "@svc/core/money/listing";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { get } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { number, plainDay } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { BaseCurrency } from "./base.tsx";
import { RateState, sourceNames } from "./rate.tsx";

/** Every currency that is offered, with its rate of today. */
export default function Currencies() {
  const { workspace } = useCurrentUser();
  const [wanted, setWanted] = useState("");
  const [changing, setChanging] = useState(false);
  const query = useQuery({
    queryKey: ["currencies", workspace.id],
    queryFn: ({ signal }) => get<List>("/api/v1/currencies", { signal }),
  });
  return (
    <Page
      title="Currencies"
      actions={
        hasRole(workspace.role, "admin") && (
          <Button onClick={() => setChanging(true)}>Change the base currency</Button>
        )
      }
    >
      <Loaded query={query}>
        {({ data, meta }) => {
          const found = data.filter(({ code, name }) =>
            `${code} ${name}`.toLowerCase().includes(wanted.trim().toLowerCase()),
          );
          return (
            <>
              <p>
                What one {meta.base} is worth today, by the workspace’s own rates, else by those that central
                banks publish.
              </p>
              <div className="field">
                <label htmlFor="currency-search">Find by code or name</label>
                <input
                  id="currency-search"
                  type="search"
                  value={wanted}
                  onChange={({ target }) => setWanted(target.value)}
                />
              </div>
              <p role="status" className="hint">
                {found.length} of {meta.count} currencies
              </p>
              {found.length === 0 ? (
                <Empty title="No currency fits what you typed" />
              ) : (
                <Table caption="Currencies" rows={found} rowKey={({ code }) => code} columns={columns} />
              )}
              <p className="hint">Sources: ECB statistics; Narodowy Bank Polski.</p>
            </>
          );
        }}
      </Loaded>
      {changing && <BaseCurrency onClose={() => setChanging(false)} />}
    </Page>
  );
}

const columns = [
  {
    heading: "Currency",
    cell: ({ code, name }: Listed) => (
      <>
        <Link href={`/currencies/${code}`}>{code}</Link> {name}
      </>
    ),
  },
  { heading: "Rate", numeric: true as const, cell: ({ rate }: Listed) => (rate ? short(rate) : "none") },
  {
    heading: "Of",
    cell: ({ rateDate }: Listed) => rateDate && <span className="nowrap">{plainDay(rateDate)}</span>,
  },
  {
    heading: "Source",
    cell: ({ rateSource, rateDocument }: Listed) => (
      <span title={rateDocument ?? undefined}>{rateSource && sourceNames[rateSource]}</span>
    ),
  },
  { heading: "State", cell: (listed: Listed) => <RateState {...listed} /> },
];

/** Seven digits that count; the page of the currency has all of them. */
function short(rate: string): string {
  return number(Number(rate).toPrecision(7));
}
