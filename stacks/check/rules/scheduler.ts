import { type Job, jobs } from "../../../functions/jobs.ts";
import { described, permissionsOf } from "../policies.ts";
import { all, deployed } from "../resources.ts";
import { allow, difference, drop, functionOf, one, type Rule, role } from "./rule.ts";

const queue = "aws:sqs/queue:Queue";
const schedule = "aws:scheduler/schedule:Schedule";

export const schedulerRules: Rule[] = [
  {
    promise:
      "every schedule in jobs.ts exists, is enabled unless the stage is paused, may invoke only its own job, and keeps invocations that fail for 14 days",
    offences: (evaluated) => {
      const schedules = all(evaluated, schedule);
      const functions = deployed(evaluated);
      const got = schedules.map(({ inputs }) => {
        const target = functions.find(({ fn }) => fn.outputs.arn === inputs.target.arn);
        return `${target?.key} ${inputs.scheduleExpression} ${inputs.state}`;
      });
      const wanted = Object.entries<Job>(jobs)
        .filter(([, { schedule }]) => schedule)
        .map(
          ([name, { schedule }]) =>
            `${name} ${schedule} ${evaluated.settings.paused ? "DISABLED" : "ENABLED"}`,
        );
      const excess = schedules.flatMap(({ name, inputs }) =>
        permissionsOf(evaluated)
          .filter(({ owner }) => owner.outputs.arn === inputs.target.roleArn)
          .filter(
            ({ action, resource }) =>
              !(action === "lambda:InvokeFunction" && resource === inputs.target.arn) &&
              !(action === "sqs:SendMessage" && resource === inputs.target.deadLetterConfig?.arn),
          )
          .map((permission) => `${name}: ${described(permission)}`),
      );
      const lost = schedules.filter(({ inputs }) => {
        const { roleArn, deadLetterConfig } = inputs.target;
        const kept = all(evaluated, queue).some(
          (one) =>
            one.outputs.arn === deadLetterConfig?.arn && one.inputs.messageRetentionSeconds === 14 * 86_400,
        );
        const maySend = permissionsOf(evaluated).some(
          ({ owner, action, resource }) =>
            owner.outputs.arn === roleArn &&
            action === "sqs:SendMessage" &&
            resource === deadLetterConfig?.arn,
        );
        return !kept || !maySend;
      });
      return [
        ...difference(got, wanted, "schedule"),
        ...excess,
        ...lost.map(({ name }) => `${name} loses invocations that fail`),
      ];
    },
    brokenBy: {
      "a schedule with another interval": (r) =>
        Object.assign(one(r, schedule).inputs, { scheduleExpression: "rate(5 minutes)" }),
      "a missing schedule": (r) => drop(r, schedule),
      "a schedule without a dead-letter queue": (r) => delete one(r, schedule).inputs.target.deadLetterConfig,
      "a dead-letter queue that keeps messages for a minute": (r) =>
        Object.assign(one(r, queue, /MissedRuns/).inputs, { messageRetentionSeconds: 60 }),
      "a schedule that may not write to its dead-letter queue": (r) => {
        const { inputs } = role(r, "SweepAvatarsSchedule");
        inputs.inlinePolicies[0].policy = inputs.inlinePolicies[0].policy.replace(
          "sqs:SendMessage",
          "sqs:GetQueueUrl",
        );
      },
      "a schedule that may invoke another function": (r) =>
        allow(role(r, "SweepAvatarsSchedule"), "lambda:InvokeFunction", functionOf(r, "SetPlan").outputs.arn),
      "a disabled schedule": (r) => Object.assign(one(r, schedule).inputs, { state: "DISABLED" }),
    },
    brokenDuringRestoreBy: {
      "a paused stage with an enabled schedule": (r) =>
        Object.assign(one(r, schedule).inputs, { state: "ENABLED" }),
    },
  },
];
