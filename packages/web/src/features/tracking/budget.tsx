import "./project.css";
import type { View as Budget } from "@svc/core/tracking/budgets/budget";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { money, number, plainDay } from "../../base/format.ts";
import type { Project } from "./projects.ts";

/** Where the budget of a project stands; undefined for one without a budget, which is not asked for. */
export function useBudget({ id, budget }: Pick<Project, "id" | "budget">) {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["projects", workspace.id, id, "budget"],
    enabled: budget !== null,
    queryFn: ({ signal }) => get<Budget>(`/api/v1/projects/${id}/budget`, { signal }),
  });
}

/** How much of a project's budget is spent, and where its pace leads. */
export function BudgetBar({ project }: { project: Project }) {
  const { data, isError, refetch } = useBudget(project);
  if (!project.budget) return <span className="hint">None</span>;
  if (isError)
    return (
      <button type="button" className="link" onClick={() => void refetch()}>
        Could not be fetched. Try again
      </button>
    );
  if (!data) return <span className="hint">…</span>;
  const { spent, percent, forecastPercent, alertThresholdPercent } = data;
  const state = percent >= 100 ? "over" : percent >= alertThresholdPercent ? "warn" : "fine";
  return (
    <div className="budget">
      {/* The words below say the same. */}
      <div className="budget-bar" aria-hidden="true" data-state={state}>
        <span className="budget-forecast" style={{ width: `${Math.min(forecastPercent, 100)}%` }} />
        <span className="budget-spent" style={{ width: `${Math.min(percent, 100)}%` }} />
        <span className="budget-threshold" style={{ insetInlineStart: `${alertThresholdPercent}%` }} />
      </div>
      <span>
        {measure(spent, data)} of {measure(data.amount, data)}
        {data.period === "month" && " this month"} · {number(percent)} %
        {state === "over" && <strong className="error"> used up</strong>}
      </span>
      <span className="hint">{outlook(data)}</span>
    </div>
  );
}

function outlook({ percent, forecastPercent, forecastDate, periodEnd, notCounted }: Budget): string {
  const until = periodEnd ? `by ${plainDay(periodEnd)}` : "in 30 days";
  return [
    percent < 100 && `Forecast ${number(forecastPercent)} % ${until}`,
    percent < 100 && forecastDate && `used up on ${plainDay(forecastDate)}`,
    notCounted.length > 0 && `not counted: ${notCounted.map(money).join(", ")}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function measure(amount: string, { currency }: Budget): string {
  return currency ? money({ amount, currency }) : `${number(amount)} h`;
}
