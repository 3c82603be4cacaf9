import { type Job, jobs } from "../../../functions/jobs.ts";
import { described, permissionsOf } from "../policies.ts";
import { all, deployed } from "../resources.ts";
import { allow, difference, drop, functionOf, one, type Rule, role } from "./rule.ts";

const schedule = "aws:scheduler/schedule:Schedule";

export const schedulerRules: Rule[] = [
  {
    promise: "every schedule in jobs.ts exists, and may invoke only its own job",
    offences: (evaluated) => {
      const schedules = all(evaluated, schedule);
      const functions = deployed(evaluated);
      const got = schedules.map(({ inputs }) => {
        const target = functions.find(({ fn }) => fn.outputs.arn === inputs.target.arn);
        return `${target?.key} ${inputs.scheduleExpression} ${inputs.state}`;
      });
      const wanted = Object.entries<Job>(jobs)
        .filter(([, { schedule }]) => schedule)
        .map(([name, { schedule }]) => `${name} ${schedule} ENABLED`);
      const excess = schedules.flatMap(({ name, inputs }) =>
        permissionsOf(evaluated)
          .filter(({ owner }) => owner.outputs.arn === inputs.target.roleArn)
          .filter(
            ({ action, resource }) => action !== "lambda:InvokeFunction" || resource !== inputs.target.arn,
          )
          .map((permission) => `${name}: ${described(permission)}`),
      );
      return [...difference(got, wanted, "schedule"), ...excess];
    },
    brokenBy: {
      "a schedule with another interval": (r) =>
        Object.assign(one(r, schedule).inputs, { scheduleExpression: "rate(5 minutes)" }),
      "a missing schedule": (r) => drop(r, schedule),
      "a schedule that may invoke another function": (r) =>
        allow(role(r, "SweepAvatarsSchedule"), "lambda:InvokeFunction", functionOf(r, "SetPlan").outputs.arn),
    },
  },
];
