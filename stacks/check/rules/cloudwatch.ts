import { jobs } from "../../../functions/jobs.ts";
import { groupOf, type Route, routes } from "../../../functions/routes.ts";
import { isProduction } from "../../stage.ts";
import { statementsOf } from "../policies.ts";
import type { Evaluated, Resource } from "../recorded.ts";
import { all, asList, deployed, workQueueOf } from "../resources.ts";
import { routerOf } from "../router.ts";
import { add, drop, one, type Rule } from "./rule.ts";

const budget = "aws:budgets/budget:Budget";
const cluster = "aws:dsql/cluster:Cluster";
const dashboard = "aws:cloudwatch/dashboard:Dashboard";
const eventRule = "aws:cloudwatch/eventRule:EventRule";
const eventTarget = "aws:cloudwatch/eventTarget:EventTarget";
const metricAlarm = "aws:cloudwatch/metricAlarm:MetricAlarm";
const metricFilter = "aws:cloudwatch/logMetricFilter:LogMetricFilter";
const queue = "aws:sqs/queue:Queue";
const schedule = "aws:scheduler/schedule:Schedule";
const subscription = "aws:sns/topicSubscription:TopicSubscription";
const topic = "aws:sns/topic:Topic";
const topicPolicy = "aws:sns/topicPolicy:TopicPolicy";

/** Returns the last part of an ARN, such as a queue's name or a cluster's id. */
const lastPart = (arn: string) => arn.slice(Math.max(arn.lastIndexOf(":"), arn.lastIndexOf("/")) + 1);

/** Returns the metrics that an alarm reads, each as namespace, name and values of its dimensions. */
function metricsOf({ inputs }: Resource): string[] {
  const queries = (inputs.metricQueries ?? []) as { metric?: Record<string, unknown> }[];
  const metrics = [inputs, ...queries.map(({ metric }) => metric ?? {})];
  return metrics.map(({ namespace, metricName, dimensions }) =>
    [namespace, metricName, ...Object.values(dimensions ?? {})].join(" "),
  );
}

/** Returns the inputs of the budget, for a mutation to change. */
const budgetOf = (r: Resource[]) => one(r, budget).inputs as { notifications: Record<string, unknown>[] };

/** Returns the metrics that an alarm must read, as `metricsOf` does. */
function wantedMetrics(evaluated: Evaluated): string[] {
  const [api] = all(evaluated, "aws:apigatewayv2/api:Api");
  const schedules = all(evaluated, schedule);
  const deadLetters = [
    ...all(evaluated, queue).flatMap(({ inputs }) =>
      inputs.redrivePolicy ? [String(JSON.parse(inputs.redrivePolicy).deadLetterTargetArn)] : [],
    ),
    ...schedules.map(({ inputs }) => String(inputs.target.deadLetterConfig?.arn)),
  ];
  const groups = new Set(schedules.map(({ inputs }) => inputs.groupName));
  return [
    `AWS/ApiGateway 5xx ${api?.outputs.id}`,
    `AWS/CloudFront 5xxErrorRate ${routerOf(evaluated).resource.outputs.id} Global`,
    "AWS/Lambda Throttles",
    ...Object.keys(jobs).flatMap((name) =>
      ["Errors", "Throttles"].map((metric) => `AWS/Lambda ${metric} svc-${evaluated.stage}-${name}`),
    ),
    ...all(evaluated, metricFilter).map(({ inputs: { metricTransformation } }) =>
      [metricTransformation.namespace, metricTransformation.name].join(" "),
    ),
    `AWS/SQS ApproximateAgeOfOldestMessage ${workQueueOf(evaluated)?.outputs.name}`,
    ...new Set(deadLetters.map((arn) => `AWS/SQS ApproximateNumberOfMessagesVisible ${lastPart(arn)}`)),
    ...[...groups].flatMap((group) =>
      ["InvocationDroppedCount", "InvocationsFailedToBeSentToDeadLetterCount"].map(
        (metric) => `AWS/Scheduler ${metric} ${group}`,
      ),
    ),
    ...all(evaluated, cluster).flatMap(({ outputs }) =>
      ["QueryTimeouts", "OccConflicts", "ClusterStorageSize"].map(
        (metric) => `AWS/AuroraDSQL ${metric} ${outputs.identifier}`,
      ),
    ),
  ];
}

export const cloudwatchRules: Rule[] = [
  {
    promise:
      "an alarm watches the router, the routes, the gateway's limit, the jobs, their schedules, the queues, the database and the exchange rates",
    offences: (evaluated) => {
      const alarms = all(evaluated, metricAlarm);
      const filters = all(evaluated, metricFilter);
      const watched = alarms.flatMap(metricsOf);
      const refresh = deployed(evaluated).find(({ key }) => key === "refresh-rates");
      const [stage] = all(evaluated, "aws:apigatewayv2/stage:Stage");
      const { destinationArn, format = "" } = stage?.inputs.accessLogSettings ?? {};
      const accessLog = all(evaluated, "aws:cloudwatch/logGroup:LogGroup").find(
        ({ outputs }) => outputs.arn === destinationArn,
      );
      // The filter reads these fields of the access log.
      const readable = format.includes('"status":"$context.status"');
      const counted = filters.some(
        ({ inputs }) =>
          inputs.logGroupName === accessLog?.outputs.name && inputs.pattern.includes('$.status = "429"'),
      );
      return [
        ...wantedMetrics(evaluated)
          .filter((one) => !watched.includes(one))
          .map((one) => `no alarm watches ${one}`),
        ...(filters.some(({ inputs }) => inputs.logGroupName === refresh?.fn.inputs.loggingConfig?.logGroup)
          ? []
          : ["no metric counts stale exchange rates"]),
        ...(counted && readable ? [] : ["no metric counts requests that the gateway rejects"]),
      ];
    },
    brokenBy: {
      "a job without an alarm": (r) => drop(r, metricAlarm, /sweep-avatars-errors/),
      "a router without an alarm": (r) => drop(r, metricAlarm, /RouterErrors/),
      "no metric for stale exchange rates": (r) => drop(r, metricFilter, /StaleRates/),
      "no metric for requests that the gateway rejects": (r) => drop(r, metricFilter, /ThrottledRequests/),
      "an access log without the status": (r) =>
        Object.assign(one(r, "aws:apigatewayv2/stage:Stage").inputs.accessLogSettings, { format: "{}" }),
      "a gateway's limit without an alarm": (r) => drop(r, metricAlarm, /ApiThrottled/),
      "a queue whose messages wait unnoticed": (r) => drop(r, metricAlarm, /OldestMessage/),
      "a dead-letter queue without an alarm": (r) =>
        add(r, queue, {
          redrivePolicy: JSON.stringify({
            deadLetterTargetArn: "arn:aws:sqs:eu-central-1:111111111111:given-up",
          }),
        }),
      "missed runs without an alarm": (r) => drop(r, metricAlarm, /MissedRuns/),
      "schedules without an alarm": (r) => drop(r, metricAlarm, /InvocationDroppedCount/),
      "a schedule in a group without an alarm": (r) =>
        Object.assign(one(r, schedule).inputs, { groupName: "default" }),
      "statements that time out unnoticed": (r) => drop(r, metricAlarm, /DatabaseTimeouts/),
      "a database whose conflicts go unnoticed": (r) => drop(r, metricAlarm, /DatabaseConflicts/),
      "a database that fills up unnoticed": (r) => drop(r, metricAlarm, /DatabaseStorage/),
    },
  },
  {
    promise:
      "every alarm names a section of docs/operations.md and notifies a topic of its region, and production's topics send email",
    offences: (evaluated) => {
      const topics = all(evaluated, topic);
      const subscribed = all(evaluated, subscription).map(({ inputs }) => inputs.topic);
      return [
        ...all(evaluated, metricAlarm).flatMap(({ name, inputs, region }) => {
          const notified = topics.filter(({ outputs }) => asList(inputs.alarmActions).includes(outputs.arn));
          const router = metricsOf({ inputs } as Resource).some((one) => one.startsWith("AWS/CloudFront"));
          return [
            ...(notified.length > 0 ? [] : [`${name} notifies no topic`]),
            ...(notified.every((one) => one.region === region)
              ? []
              : [`${name} notifies a topic of another region`]),
            ...(router === (region === "us-east-1") ? [] : [`${name} is in a region without its metric`]),
            ...(/docs\/operations\.md, /.test(inputs.alarmDescription)
              ? []
              : [`the description of ${name} names no section of docs/operations.md`]),
          ];
        }),
        ...topics
          .filter(({ outputs }) => isProduction(evaluated.stage) && !subscribed.includes(outputs.arn))
          .map(({ name }) => `${name} has no recipient`),
      ];
    },
    brokenBy: {
      "an alarm without an action": (r) => Object.assign(one(r, metricAlarm).inputs, { alarmActions: [] }),
      "an alarm for a topic of another region": (r) =>
        Object.assign(one(r, metricAlarm, /RouterErrors/).inputs, {
          alarmActions: [one(r, topic, /^Alarms$/).outputs.arn],
        }),
      "an alarm of the router in the stage's region": (r) => {
        delete one(r, metricAlarm, /RouterErrors/).region;
        delete one(r, topic, /RouterAlarms/).region;
      },
      "an alarm without instructions": (r) =>
        Object.assign(one(r, metricAlarm).inputs, { alarmDescription: "Something failed." }),
      "a topic without a recipient": (r) => drop(r, subscription, /RouterAlarmMail/),
    },
  },
  {
    promise: "the latency of every route counts in the metric of its group",
    offences: (evaluated) => {
      const { format } = one(evaluated.resources, "aws:apigatewayv2/stage:Stage").inputs.accessLogSettings;
      const filters = all(evaluated, metricFilter)
        .map(({ inputs }) => inputs)
        .filter(({ metricTransformation }) => metricTransformation.value === "$.responseLatency");
      return [
        ...Object.entries<Route>(routes).flatMap(([key, route]) => {
          const measured = filters
            .filter(({ pattern }) => pattern.includes(`$.routeKey = "${key}"`))
            .map(({ metricTransformation }) => metricTransformation.name);
          const wanted = `Latency-${groupOf(key, route)}`;
          return measured.join() === wanted ? [] : [`${key} counts in ${measured.join() || "no metric"}`];
        }),
        ...filters
          .filter(({ pattern }) => pattern.length > 1024)
          .map(({ name }) => `the pattern of ${name} is too long`),
        ...(format.includes('"responseLatency":$context.responseLatency')
          ? []
          : ["the access log has no number for the latency"]),
      ];
    },
    brokenBy: {
      "uploads whose latency is not measured": (r) => drop(r, metricFilter, /Latency-upload/),
      "a route in the metric of another group": (r) => {
        const { inputs } = one(r, metricFilter, /Latency-upload/);
        inputs.metricTransformation.name = "Latency-read";
      },
      "a pattern that is too long": (r) => {
        const { inputs } = one(r, metricFilter, /Latency-report/);
        inputs.pattern += ` ${"x".repeat(1024)}`;
      },
      "a latency that is text": (r) => {
        const { accessLogSettings } = one(r, "aws:apigatewayv2/stage:Stage").inputs;
        accessLogSettings.format = accessLogSettings.format.replace(
          "$context.responseLatency",
          '"$context.responseLatency"',
        );
      },
    },
  },
  {
    promise: "an alarm of a rate or a percentile goes off only after enough requests",
    offences: (evaluated) =>
      all(evaluated, metricAlarm)
        .filter((one) => metricsOf(one).some((read) => / (Latency-|5xxErrorRate )/.test(read)))
        .filter(({ inputs }) => {
          const [{ expression = "" } = {}] = asList<{ expression?: string }>(inputs.metricQueries);
          return !/^IF\(requests >= \d{2,}, \w+, 0\)$/.test(expression);
        })
        .map(({ name }) => `a single request can cause ${name}`),
    brokenBy: {
      "a percentile of any number of requests": (r) => {
        one(r, metricAlarm, /ApiSlow/).inputs.metricQueries[0].expression = "latency";
      },
      "a rate of any number of requests": (r) => {
        one(r, metricAlarm, /RouterErrors/).inputs.metricQueries[0].expression = "IF(requests >= 0, rate, 0)";
      },
    },
  },
  {
    promise: "the recipient of alarms learns when the account approaches its monthly budget",
    offences: (evaluated) => {
      const recipients = all(evaluated, subscription).map(({ inputs }) => inputs.endpoint);
      const sent = all(evaluated, budget).flatMap(({ inputs }) =>
        inputs.timeUnit === "MONTHLY" && Number(inputs.limitAmount) > 0
          ? asList<Record<string, unknown>>(inputs.notifications)
              .filter((one) =>
                asList(one.subscriberEmailAddresses).some((email) => recipients.includes(email)),
              )
              .map(({ notificationType }) => notificationType)
          : [],
      );
      const wanted = recipients.length > 0 ? ["ACTUAL", "FORECASTED"] : [];
      return wanted.filter((one) => !sent.includes(one)).map((one) => `no email about the ${one} costs`);
    },
    brokenBy: {
      "no budget": (r) => drop(r, budget),
      "a budget without a recipient": (r) => {
        for (const one of budgetOf(r).notifications) one.subscriberEmailAddresses = [];
      },
      "a budget that reports only what was spent": (r) => budgetOf(r).notifications.pop(),
    },
  },
  {
    promise: "a failed backup of the database is reported to the topic of the alarms",
    offences: (evaluated) => {
      const targets = all(evaluated, eventTarget);
      const notified = all(evaluated, topic).map(({ outputs }) => outputs.arn);
      const rules = all(evaluated, eventRule).filter(({ inputs, outputs }) =>
        targets.some((target) => {
          const { rule, arn } = target.inputs;
          const mayPublish = all(evaluated, topicPolicy).some(
            (policy) =>
              policy.inputs.arn === arn &&
              ["cloudwatch.amazonaws.com", "events.amazonaws.com"].every((service) =>
                statementsOf(policy.inputs.policy).some(
                  ({ Effect, Principal }) =>
                    Effect === "Allow" && JSON.stringify(Principal).includes(service),
                ),
              ),
          );
          return rule === (outputs.name ?? inputs.name) && notified.includes(arn) && mayPublish;
        }),
      );
      const reported = rules.flatMap(({ inputs }) => {
        const { source, detail } = JSON.parse(inputs.eventPattern);
        return asList<string>(detail?.resourceArn).flatMap((arn) =>
          asList<string>(detail?.state).map((state) => `${source} ${state} ${arn}`),
        );
      });
      return isProduction(evaluated.stage)
        ? all(evaluated, cluster).flatMap(({ outputs }) =>
            ["FAILED", "ABORTED", "EXPIRED"]
              .map((state) => `aws.backup ${state} ${outputs.arn}`)
              .filter((one) => !reported.includes(one))
              .map((one) => `no rule reports ${one}`),
          )
        : [];
    },
    brokenBy: {
      "no rule for failed backups": (r) => drop(r, eventRule),
      "a rule for successful backups": (r) => {
        const { inputs } = one(r, eventRule);
        inputs.eventPattern = inputs.eventPattern.replace("FAILED", "COMPLETED");
      },
      "a rule without a target": (r) => drop(r, eventTarget),
      "a topic to which the rule may not publish": (r) => drop(r, topicPolicy),
      "a topic to which only the rule may publish": (r) => {
        const { inputs } = one(r, topicPolicy);
        inputs.policy = inputs.policy.replace("cloudwatch.amazonaws.com", "s3.amazonaws.com");
      },
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
