import type { Budget } from "@svc/client";
import "./project.css";
import { useQuery } from "@tanstack/react-query";
import { TrendingUp, TriangleAlert } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { hourUnit, list, money, percent, plainDay } from "../../base/format.ts";
import { messages } from "./messages.ts";
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
        {messages.budgetFailed}
      </button>
    );
  if (project.budget && !data) return <span className="hint">…</span>;
  return <BudgetBar status={data ?? null} />;
}

/**
 * The state of a budget, which sets its color: `over` if it is or will be used up, `warn` if what is spent or the forecast
 * reaches the alert threshold.
 */
export function budgetState({ percent, forecastPercent, alertThresholdPercent }: Budget) {
  const most = Math.max(percent, forecastPercent);
  return most >= 100 ? "over" : most >= alertThresholdPercent ? "warn" : "fine";
}

/** Shows how much of a project's budget is spent, with a forecast. */
export function BudgetBar({ status, title }: { status: Budget | null; title?: ReactNode }) {
  if (!status) return <span className="hint">{messages.noBudget}</span>;
  const { spent, amount, period, notCounted } = status;
  const state = budgetState(status);
  const used = Math.min(status.percent, 100);
  const ahead = Math.min(Math.max(status.forecastPercent, used), 100) - used;
  const of = messages.spentOf(formatted(spent, status), formatted(amount, status));
  return (
    <div className="budget" data-state={state}>
      <div className="budget-head">
        {title}
        <strong>{percent(status.percent / 100)}</strong>
      </div>
      {/* The texts below contain the same information. */}
      <div
        className="budget-bar"
        aria-hidden="true"
        style={{ "--spent": `${used}%`, "--ahead": `${ahead}%` } as CSSProperties}
      >
        <span className="budget-spent" />
        <span className="budget-forecast" />
      </div>
      <div className="budget-foot">
        <span>{period === "month" ? messages.thisMonth(of) : of}</span>
        <span className="budget-outlook">
          {state === "over" && <TriangleAlert aria-hidden="true" />}
          {state === "warn" && <TrendingUp aria-hidden="true" />}
          {outlook(status)}
        </span>
      </div>
      {notCounted.length > 0 && (
        <p className="budget-foot">{messages.notCounted(list(notCounted.map(money)))}</p>
      )}
    </div>
  );
}

function outlook(status: Budget): string {
  const { amount, spent, percent: used, forecastPercent, forecastDate, periodEnd } = status;
  if (used >= 100) {
    const over = Number(spent) - Number(amount);
    return over > 0 ? messages.over(formatted(String(over), status)) : messages.usedUp;
  }
  if (forecastDate) return messages.usedUpOn(plainDay(forecastDate));
  const share = percent(forecastPercent / 100);
  return periodEnd ? messages.forecastBy(share, plainDay(periodEnd)) : messages.forecastIn30Days(share);
}

function formatted(amount: string, { currency }: Budget): string {
  return currency ? money({ amount, currency }) : hourUnit(amount);
}
