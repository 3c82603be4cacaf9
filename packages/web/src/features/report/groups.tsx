import type { Money } from "@svc/client";
import "./report.css";
import { duration, money, number } from "../../base/format.ts";
import { type Column, Table } from "../../ui/table.tsx";

/** The totals of a group. A custom report contains only the requested metrics. */
export type Sums = {
  durationSeconds?: number | undefined;
  billableSeconds?: number | undefined;
  billablePercent?: string | undefined;
  entryCount?: number | undefined;
  amounts?: readonly Money[] | undefined;
  converted?: Money | null | undefined;
  convertedKnown?: Money | undefined;
};

export type Group = Sums & { key: string | null; label: string; groups?: readonly Group[] | undefined };

type TableRow = Sums & { id: string; label: string; depth: number; total?: true };

const metricColumns: readonly (Column<TableRow> & { has: (sums: Sums) => boolean })[] = [
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
    cell: ({ billablePercent = "0" }) => `${number(billablePercent)}%`,
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
    // Amounts in different currencies are never added.
    cell: ({ amounts = [] }) => amounts.map((one) => <div key={one.currency}>{money(one)}</div>),
  },
  {
    heading: "Converted",
    numeric: true,
    has: ({ converted }) => converted !== undefined,
    cell: ({ converted, convertedKnown }) =>
      converted ? money(converted) : convertedKnown && `Incomplete: ${money(convertedKnown)} known`,
  },
];

/** A report as a table: each group is followed by its subgroups, and the last row is the total. */
export function Groups({
  heading,
  groups,
  totals,
}: {
  heading: string;
  groups: readonly Group[];
  totals: Sums;
}) {
  const rows: TableRow[] = [
    ...flattened(groups, 0, ""),
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
        ...metricColumns.filter(({ has }) => has(totals)),
      ]}
    />
  );
}

function flattened(groups: readonly Group[], depth: number, above: string): TableRow[] {
  return groups.flatMap(({ groups: deeper = [], ...group }) => {
    const id = `${above}/${group.key}`;
    return [{ ...group, id, depth }, ...flattened(deeper, depth + 1, id)];
  });
}
