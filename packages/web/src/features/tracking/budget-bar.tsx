import type { Budget } from "@svc/client";
import "./project.css";
import { useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { money, number, plainDay } from "../../base/format.ts";
import type { Project } from "./projects.ts";

/** Loads the state of a project's budget. Sends no request for a project without one. */
export function useBudget({ id, budget }: Pick<Project, "id" | "budget">) {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["projects", workspace.id, id, "budget"],
    enabled: budget !== null,
    queryFn: ({ signal }) => svc.get("/api/v1/projects/{id}/budget", { path: { id }, signal }),
  });
}

/** Loads and shows the state of a project's budget. */
export function ProjectBudget({ project }: { project: Project }) {
  const { data, isError, refetch } = useBudget(project);
  if (isError)
    return (
      <button type="button" className="link" onClick={() => void refetch()}>
        Budget could not be loaded. Try again
      </button>
    );
  if (project.budget && !data) return <span className="hint">…</span>;
  return <BudgetBar status={data ?? null} />;
}

/** Shows how much of a project's budget is spent, with a forecast. */
export function BudgetBar({ status }: { status: Budget | null }) {
  if (!status) return <span className="hint">None</span>;
  const { spent, percent, forecastPercent, alertThresholdPercent } = status;
  const state = percent >= 100 ? "over" : percent >= alertThresholdPercent ? "warn" : "fine";
  return (
    <div className="budget">
      {/* The text below contains the same information. */}
      <div className="budget-bar" aria-hidden="true" data-state={state}>
        <span className="budget-forecast" style={{ width: `${Math.min(forecastPercent, 100)}%` }} />
        <span className="budget-spent" style={{ width: `${Math.min(percent, 100)}%` }} />
        <span className="budget-threshold" style={{ insetInlineStart: `${alertThresholdPercent}%` }} />
      </div>
      <span>
        {formatted(spent, status)} of {formatted(status.amount, status)}
        {status.period === "month" && " this month"} · {number(percent)}%
        {state === "over" && <strong className="error"> used up</strong>}
      </span>
      <span className="hint">{forecast(status)}</span>
    </div>
  );
}

function forecast({ percent, forecastPercent, forecastDate, periodEnd, notCounted }: Budget): string {
  const until = periodEnd ? `by ${plainDay(periodEnd)}` : "in 30 days";
  return [
    percent < 100 && `Forecast: ${number(forecastPercent)}% ${until}`,
    percent < 100 && forecastDate && `will be used up on ${plainDay(forecastDate)}`,
    notCounted.length > 0 && `excludes ${notCounted.map(money).join(", ")} (no exchange rate)`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function formatted(amount: string, { currency }: Budget): string {
  return currency ? money({ amount, currency }) : `${number(amount)} h`;
}
