import { jobs } from "../../../functions/jobs.ts";
import { all, asList, deployed } from "../resources.ts";
import { add, drop, one, type Rule } from "./rule.ts";

const dashboard = "aws:cloudwatch/dashboard:Dashboard";
const metricAlarm = "aws:cloudwatch/metricAlarm:MetricAlarm";
const metricFilter = "aws:cloudwatch/logMetricFilter:LogMetricFilter";
const queue = "aws:sqs/queue:Queue";

export const cloudwatchRules: Rule[] = [
  {
    promise:
      "an alarm goes off when a route is slow or fails, a job fails, exchange rates are stale or a message is dead-lettered",
    offences: (evaluated) => {
      const topics = all(evaluated, "aws:sns/topic:Topic").map(({ outputs }) => outputs.arn);
      const alarms = all(evaluated, metricAlarm);
      const [api] = all(evaluated, "aws:apigatewayv2/api:Api");
      const filters = all(evaluated, metricFilter);
      const watched = alarms.map(({ inputs }) =>
        [inputs.namespace, inputs.metricName, ...Object.values(inputs.dimensions ?? {})].join(" "),
      );
      const deadLetters = all(evaluated, queue).flatMap(({ inputs }) =>
        inputs.redrivePolicy ? [String(JSON.parse(inputs.redrivePolicy).deadLetterTargetArn)] : [],
      );
      const refresh = deployed(evaluated).find(({ key }) => key === "refresh-rates");
      const wanted = [
        `AWS/ApiGateway 5xx ${api?.outputs.id}`,
        `AWS/ApiGateway Latency ${api?.outputs.id}`,
        "AWS/Lambda Throttles",
        ...Object.keys(jobs).flatMap((name) =>
          ["Errors", "Throttles"].map((metric) => `AWS/Lambda ${metric} svc-${evaluated.stage}-${name}`),
        ),
        ...filters.map(({ inputs: { metricTransformation } }) =>
          [metricTransformation.namespace, metricTransformation.name].join(" "),
        ),
        ...deadLetters.map(
          (arn) => `AWS/SQS ApproximateNumberOfMessagesVisible ${arn.slice(arn.lastIndexOf(":") + 1)}`,
        ),
      ];
      return [
        ...wanted.filter((one) => !watched.includes(one)).map((one) => `no alarm watches ${one}`),
        ...(filters.some(({ inputs }) => inputs.logGroupName === refresh?.fn.inputs.loggingConfig?.logGroup)
          ? []
          : ["no metric counts stale exchange rates"]),
        ...alarms
          .filter(({ inputs }) => !asList(inputs.alarmActions).some((action) => topics.includes(action)))
          .map(({ name }) => `${name} notifies no topic`),
        ...alarms
          .filter(({ inputs }) => !/docs\/operations\.md, /.test(inputs.alarmDescription))
          .map(({ name }) => `the description of ${name} names no section of docs/operations.md`),
      ];
    },
    brokenBy: {
      "a job without an alarm": (r) => drop(r, metricAlarm, /sweep-avatars-errors/),
      "an alarm without an action": (r) => Object.assign(one(r, metricAlarm).inputs, { alarmActions: [] }),
      "no metric for stale exchange rates": (r) => drop(r, metricFilter),
      "a dead-letter queue without an alarm": (r) =>
        add(r, queue, {
          redrivePolicy: JSON.stringify({
            deadLetterTargetArn: "arn:aws:sqs:eu-central-1:111111111111:given-up",
          }),
        }),
    },
  },
  {
    promise: "the dashboard shows this stage's API and all its functions",
    offences: (evaluated) => {
      const [board] = all(evaluated, dashboard);
      const [api] = all(evaluated, "aws:apigatewayv2/api:Api");
      if (!board) return ["there is no dashboard"];
      const shown = JSON.stringify(JSON.parse(board.inputs.dashboardBody).widgets);
      return [`"${api?.outputs.id}"`, "Errors", "Throttles", "Duration", "p99", `svc ${evaluated.stage}`]
        .filter((one) => !shown.includes(one))
        .map((one) => `the dashboard does not show ${one}`);
    },
    brokenBy: {
      "no dashboard": (r) => drop(r, dashboard),
    },
  },
];
