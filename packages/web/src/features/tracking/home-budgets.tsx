import type { ListedProject } from "@svc/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/states.tsx";
import { BudgetBar, budgetState } from "./budget-bar.tsx";
import { messages } from "./messages.ts";
import { ProjectName } from "./project-name.tsx";

const shown = 5;

/** The budgets that are spent beyond their alert threshold, or will be, those that are spent most first. */
export function BudgetsCard() {
  const { workspace } = useCurrentUser();
  const budgets = useQuery({
    queryKey: ["projects", workspace.id, "budgets"],
    queryFn: async ({ signal }) => {
      const query = { include: "budget_status", per_page: 200 } as const;
      const near: ListedProject[] = [];
      for await (const project of svc.each("/api/v1/projects", { query, signal }))
        if (project.budgetStatus && budgetState(project.budgetStatus) !== "fine") near.push(project);
      return near
        .sort((a, b) => (b.budgetStatus?.percent ?? 0) - (a.budgetStatus?.percent ?? 0))
        .slice(0, shown);
    },
  });
  return (
    <Card title={messages.budgets} tools={<Link href="/projects">{messages.allProjects}</Link>}>
      <Loaded
        query={budgets}
        isEmpty={(near) => near.length === 0}
        empty={<p className="card-note hint">{messages.noBudgetNear}</p>}
      >
        {(near) => (
          <ul className="card-rows budget-rows">
            {near.map((project) => (
              <li key={project.id}>
                <BudgetBar
                  status={project.budgetStatus ?? null}
                  title={
                    <Link href={`/projects/${project.id}`}>
                      <ProjectName project={project} />
                    </Link>
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
