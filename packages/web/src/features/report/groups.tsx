import "./report.css";
import type { View as Money } from "@svc/core/money/money";
import { duration, money, number } from "../../base/format.ts";
import { type Column, Table } from "../../ui/table.tsx";

/** What a group adds up to; a custom report has only the figures that were asked for. */
export type Sums = {
  durationSeconds?: number | undefined;
  billableSeconds?: number | undefined;
  billablePercent?: string | undefined;
  entryCount?: number | undefined;
  amounts?: readonly Money[] | undefined;
  converted?: Money | null | undefined;
};

export type Group = Sums & { key: string | null; label: string; groups?: readonly Group[] | undefined };

type Row = Sums & { id: string; label: string; depth: number; total?: true };

const figures: readonly (Column<Row> & { has: (sums: Sums) => boolean })[] = [
  {
    heading: "Time",
    numeric: true,
    has: ({ durationSeconds }) => durationSeconds !== undefined,
    cell: ({ durationSeconds = 0 }) => duration(durationSeconds),
  },
  {
    heading: "Billable",
    numeric: true,
    has: ({ billableSeconds }) => billableSeconds !== undefined,
    cell: ({ billableSeconds = 0 }) => duration(billableSeconds),
  },
  {
    heading: "Billable share",
    numeric: true,
    has: ({ billablePercent }) => billablePercent !== undefined,
    cell: ({ billablePercent = "0" }) => `${number(billablePercent)} %`,
  },
  {
    heading: "Entries",
    numeric: true,
    has: ({ entryCount }) => entryCount !== undefined,
    cell: ({ entryCount = 0 }) => number(entryCount),
  },
  {
    heading: "Amounts",
    numeric: true,
    has: ({ amounts }) => amounts !== undefined,
    // One for each currency: they are never added up.
    cell: ({ amounts = [] }) => amounts.map((one) => <div key={one.currency}>{money(one)}</div>),
  },
  {
    heading: "Converted",
    numeric: true,
    has: ({ converted }) => converted !== undefined,
    cell: ({ converted }) => (converted ? money(converted) : "no rate"),
  },
];

/** The groups of a report, those of deeper levels below theirs, and what all of it adds up to. */
export function Groups({
  heading,
  groups,
  totals,
}: {
  heading: string;
  groups: readonly Group[];
  totals: Sums;
}) {
  const rows: Row[] = [
    ...flat(groups, 0, ""),
    { ...totals, id: "total", label: "Total", depth: 0, total: true },
  ];
  return (
    <Table
      caption="Report"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          heading,
          cell: ({ label, depth, total }) =>
            depth > 0 ? (
              <div className="report-sub" data-depth={depth}>
                {label}
              </div>
            ) : total ? (
              <strong>{label}</strong>
            ) : (
              label
            ),
        },
        ...figures.filter(({ has }) => has(totals)),
      ]}
    />
  );
}

function flat(groups: readonly Group[], depth: number, above: string): Row[] {
  return groups.flatMap(({ groups: deeper = [], ...group }) => {
    const id = `${above}/${group.key}`;
    return [{ ...group, id, depth }, ...flat(deeper, depth + 1, id)];
  });
}
