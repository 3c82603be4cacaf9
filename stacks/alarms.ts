import { groupOf, type Route, type RouteGroup, routeGroups, routes } from "../functions/routes.ts";
import { database } from "./database.ts";
import { api } from "./gateway.ts";
import { providerIn } from "./provider.ts";
import { deadLetters, givenUpAfterSeconds, missedRuns, work } from "./queue.ts";
import { router } from "./router.ts";
import { jobFunctions, scheduleGroup } from "./schedules.ts";
import { isProduction, settings } from "./stage.ts";

/**
 * When responses of a group of routes are slow: the percentile of their latency exceeds `ms`, in periods with at least
 * `requests`. Reads and writes have delays that users notice; a sign-in hashes a password, which takes long on purpose. Uploads
 * and reports are few.
 */
const slow: Record<RouteGroup, { ms: number; percentile: "p90" | "p99"; requests: number }> = {
  read: { ms: 1500, percentile: "p99", requests: 100 },
  write: { ms: 1500, percentile: "p99", requests: 100 },
  "sign-in": { ms: 3000, percentile: "p99", requests: 100 },
  upload: { ms: 5000, percentile: "p90", requests: 20 },
  report: { ms: 15_000, percentile: "p90", requests: 20 },
};

/** The rate of errors counts only in periods of five minutes with at least this many requests. */
const busyRequests = 100;

/** The alarm goes off when the gateway rejects more requests than this in five minutes. A few are those of one busy client. */
const throttledRequests = 50;

/** The alarm goes off when storage exceeds this many bytes: 80 % of the 10 TiB that a cluster may have by default. */
const storageBytes = 8 * 2 ** 40;

/** The topic that receives the alarms. SNS sends email only after the recipient has confirmed the subscription. */
export const topic = new aws.sns.Topic("Alarms", { name: `${$app.name}-${$app.stage}-alarms` });

/** CloudFront's metrics exist only in this region, and an alarm notifies only topics of the same region. */
const routerProvider = providerIn("RouterMetrics", "us-east-1");
const routerTopic = new aws.sns.Topic(
  "RouterAlarms",
  { name: `${$app.name}-${$app.stage}-router-alarms` },
  { provider: routerProvider },
);

/** The namespace of the metrics that are extracted from log lines. */
export const namespace = `${$app.name}/${$app.stage}`;

/** Names of the metrics that both alarms and the dashboard use. */
export const metric = { staleSources: "StaleRateSources", throttled: "ThrottledRequests" };

type Metric = {
  namespace: string;
  metricName: string;
  dimensions?: Record<string, $util.Input<string>>;
  statistic?: "Sum" | "Maximum" | "Average" | "SampleCount";
  percentile?: "p90" | "p99";
};

/** A value that is computed from metrics, which the expression names by their keys. */
type Computed = { expression: string; metrics: Record<string, Metric> };

export type Alarm = (Metric | Computed) & {
  /** Names the problem, and the section of docs/operations.md that explains what to do. */
  description: string;
  /** The alarm goes off above this value. */
  threshold: number;
  periodSeconds?: number;
  /** How many consecutive periods must exceed the threshold. */
  periods?: number;
};

/** Creates an alarm. Missing data counts as normal. */
export function alarm(
  name: string,
  { description, threshold, periodSeconds: period = 300, periods = 1, ...watched }: Alarm,
  { notify = topic, provider }: { notify?: aws.sns.Topic; provider?: aws.Provider } = {},
): void {
  new aws.cloudwatch.MetricAlarm(
    `${name}Alarm`,
    {
      name: `${$app.name}-${$app.stage}-${name}`,
      alarmDescription: description,
      ...("expression" in watched ? computed(watched, period) : single(watched, period)),
      evaluationPeriods: periods,
      datapointsToAlarm: periods,
      threshold,
      comparisonOperator: "GreaterThanThreshold",
      treatMissingData: "notBreaching",
      alarmActions: [notify.arn],
      okActions: [notify.arn],
    },
    { ...(provider && { provider }) },
  );
}

function single({ statistic = "Sum", percentile, dimensions = {}, ...names }: Metric, period: number) {
  return {
    ...names,
    dimensions,
    period,
    ...(percentile ? { extendedStatistic: percentile } : { statistic }),
  };
}

function computed({ expression, metrics }: Computed, period: number) {
  return {
    metricQueries: [
      { id: "value", expression, label: expression, returnData: true },
      ...Object.entries(metrics).map(([id, { statistic = "Sum", percentile, ...names }]) => ({
        id,
        metric: { ...names, period, stat: percentile ?? statistic },
      })),
    ],
  };
}

/**
 * Creates all alarms. The gateway's metrics cover routes, because it returns 5xx for a function that fails, is throttled or
 * times out. Jobs have no gateway, so each has its own alarms. The dashboard shows which function is the cause.
 */
export function createAlarms(): void {
  const { alarmMail, monthlyBudget } = settings($app.stage);
  if (alarmMail) {
    const email = { protocol: "email", endpoint: alarmMail };
    new aws.sns.TopicSubscription("AlarmMail", { topic: topic.arn, ...email });
    new aws.sns.TopicSubscription(
      "RouterAlarmMail",
      { topic: routerTopic.arn, ...email },
      { provider: routerProvider },
    );
    if (monthlyBudget) watchCosts(monthlyBudget, alarmMail);
  }

  watchRouter();
  watchRoutes();
  watchJobs();
  watchQueues();
  watchRates();
  if (database.cluster) watchCluster(database.cluster);
}

/**
 * Sends an email when the account has spent 80 % of the budget, and when its forecast exceeds it. The budget covers the whole
 * account: a budget of one stage would stay at zero until someone activates its tags for billing.
 */
function watchCosts(monthlyBudget: number, email: string): void {
  const notification = { comparisonOperator: "GREATER_THAN", thresholdType: "PERCENTAGE" };
  new aws.budgets.Budget("MonthlyBudget", {
    name: `${$app.name}-${$app.stage}-monthly`,
    budgetType: "COST",
    timeUnit: "MONTHLY",
    limitAmount: String(monthlyBudget),
    limitUnit: "USD",
    notifications: [
      { ...notification, notificationType: "ACTUAL", threshold: 80, subscriberEmailAddresses: [email] },
      { ...notification, notificationType: "FORECASTED", threshold: 100, subscriberEmailAddresses: [email] },
    ],
  });
}

/** The router also fails where no function runs: its edge functions, the web client's bucket, and a gateway that it cannot reach. */
function watchRouter(): void {
  const { distribution } = router.nodes.cdn.nodes;
  const cloudfront = {
    namespace: "AWS/CloudFront",
    dimensions: { DistributionId: distribution.id, Region: "Global" },
  };
  alarm(
    "RouterErrors",
    {
      expression: `IF(requests >= ${busyRequests}, rate, 0)`,
      metrics: {
        requests: { ...cloudfront, metricName: "Requests" },
        rate: { ...cloudfront, metricName: "5xxErrorRate", statistic: "Average" },
      },
      threshold: 5,
      periods: 2,
      description: "The router returns 5xx for over 5 % of requests. See docs/operations.md, Errors.",
    },
    { notify: routerTopic, provider: routerProvider },
  );
}

function watchRoutes(): void {
  const gateway = { namespace: "AWS/ApiGateway", dimensions: { ApiId: api.nodes.api.id } };
  alarm("ApiErrors", {
    ...gateway,
    metricName: "5xx",
    threshold: 5,
    description: "Routes return 5xx errors. See docs/operations.md, Errors.",
  });
  for (const group of routeGroups) watchLatency(group);
  new aws.cloudwatch.LogMetricFilter("ThrottledRequests", {
    name: `${$app.name}-${$app.stage}-throttled-requests`,
    logGroupName: api.nodes.logGroup.name,
    // A 429 of a function's own limits has the latency of its integration.
    pattern: '{ $.status = "429" && $.integrationLatency = "-" }',
    metricTransformation: { namespace, name: metric.throttled, value: "1" },
  });
  alarm("ApiThrottled", {
    namespace,
    metricName: metric.throttled,
    threshold: throttledRequests,
    description: "The gateway answers 429. See docs/operations.md, Throttles.",
  });
  // Without dimensions the metric covers the account, whose concurrency limit all functions share.
  alarm("Throttles", {
    namespace: "AWS/Lambda",
    metricName: "Throttles",
    threshold: 0,
    periods: 2,
    description: "Lambda throttles invocations. See docs/operations.md, Throttles.",
  });
}

/** The longest pattern of a metric filter. */
const maxPatternLength = 1024;

/** Measures the latency of a group's routes in the access log: the gateway's own metrics do not know groups. */
function watchLatency(group: RouteGroup): void {
  const { ms, percentile, requests } = slow[group];
  const latency = { namespace, metricName: `Latency-${group}` };
  for (const [index, pattern] of patternsOf(group).entries())
    new aws.cloudwatch.LogMetricFilter(`Latency-${group}-${index}`, {
      name: `${$app.name}-${$app.stage}-latency-${group}-${index}`,
      logGroupName: api.nodes.logGroup.name,
      pattern,
      metricTransformation: {
        namespace,
        name: latency.metricName,
        value: "$.responseLatency",
        unit: "Milliseconds",
      },
    });
  alarm(`ApiSlow-${group}`, {
    // Among few requests, a single cold start is one in a hundred.
    expression: `IF(requests >= ${requests}, latency, 0)`,
    metrics: { requests: { ...latency, statistic: "SampleCount" }, latency: { ...latency, percentile } },
    threshold: ms,
    periods: 3,
    description: `Responses of the group ${group} are slow. See docs/operations.md, Slow responses.`,
  });
}

/** Returns patterns that together match the lines of a group's routes in the access log. */
function patternsOf(group: RouteGroup): string[] {
  const patterns: string[] = [];
  for (const [key, route] of Object.entries<Route>(routes)) {
    if (groupOf(key, route) !== group) continue;
    const condition = `$.routeKey = "${key}"`;
    const longer = patterns.at(-1)?.replace(/ \}$/, ` || ${condition} }`) ?? "";
    if (longer && longer.length <= maxPatternLength) patterns.splice(-1, 1, longer);
    else patterns.push(`{ ${condition} }`);
  }
  return patterns;
}

function watchJobs(): void {
  for (const [name, { fn }] of Object.entries(jobFunctions))
    for (const metricName of ["Errors", "Throttles"])
      alarm(`${name}-${metricName.toLowerCase()}`, {
        namespace: "AWS/Lambda",
        metricName,
        dimensions: { FunctionName: fn.name },
        threshold: 0,
        description: `The job ${name} fails. See docs/operations.md, Jobs.`,
      });

  for (const metricName of ["InvocationDroppedCount", "InvocationsFailedToBeSentToDeadLetterCount"])
    alarm(metricName, {
      namespace: "AWS/Scheduler",
      metricName,
      dimensions: { ScheduleGroup: scheduleGroup.name },
      threshold: 0,
      description: "A scheduled job could not be invoked. See docs/operations.md, Missed runs.",
    });
}

function watchQueues(): void {
  alarm("OldestMessage", {
    namespace: "AWS/SQS",
    metricName: "ApproximateAgeOfOldestMessage",
    dimensions: { QueueName: work.nodes.queue.name },
    statistic: "Maximum",
    threshold: givenUpAfterSeconds,
    description: "Messages wait too long for a consumer. See docs/operations.md, Waiting messages.",
  });
  const visible = { namespace: "AWS/SQS", metricName: "ApproximateNumberOfMessagesVisible" };
  alarm("DeadLetters", {
    ...visible,
    dimensions: { QueueName: deadLetters.nodes.queue.name },
    statistic: "Maximum",
    threshold: 0,
    description:
      "A consumer failed on a message repeatedly, which indicates a bug. See docs/operations.md, Dead letters.",
  });
  alarm("MissedRuns", {
    ...visible,
    dimensions: { QueueName: missedRuns.nodes.queue.name },
    statistic: "Maximum",
    threshold: 0,
    description: "A scheduled job could not be invoked. See docs/operations.md, Missed runs.",
  });
}

function watchRates(): void {
  new aws.cloudwatch.LogMetricFilter("StaleRates", {
    name: `${$app.name}-${$app.stage}-stale-rates`,
    logGroupName: jobFunctions["refresh-rates"].logs.name,
    pattern: '{ $.message = "rates refreshed" }',
    metricTransformation: { namespace, name: metric.staleSources, value: "$.staleSources" },
  });
  alarm("StaleRates", {
    namespace,
    metricName: metric.staleSources,
    statistic: "Maximum",
    threshold: 0,
    periodSeconds: 3600,
    description:
      "A central bank has published no usable rates for days. See docs/operations.md, Stale rates.",
  });
}

function watchCluster(cluster: aws.dsql.Cluster): void {
  const dsql = { namespace: "AWS/AuroraDSQL", dimensions: { ClusterId: cluster.identifier } };
  alarm("DatabaseTimeouts", {
    ...dsql,
    metricName: "QueryTimeouts",
    threshold: 0,
    description: "Statements exceed the longest time of a transaction. See docs/operations.md, Database.",
  });
  alarm("DatabaseConflicts", {
    expression: "IF(transactions >= 1000, 100 * conflicts / transactions, 0)",
    metrics: {
      conflicts: { ...dsql, metricName: "OccConflicts" },
      transactions: { ...dsql, metricName: "TotalTransactions" },
    },
    threshold: 10,
    periods: 3,
    description: "Over 10 % of transactions have a write conflict. See docs/operations.md, Database.",
  });
  alarm("DatabaseStorage", {
    ...dsql,
    metricName: "ClusterStorageSize",
    statistic: "Maximum",
    threshold: storageBytes,
    description: "The cluster approaches its storage quota. See docs/operations.md, Database.",
  });
  if (isProduction($app.stage)) watchBackups(cluster);
}

/** Forwards events about failed backups to the topic. They contain the reason, which metrics do not. */
function watchBackups(cluster: aws.dsql.Cluster): void {
  const rule = new aws.cloudwatch.EventRule("FailedBackups", {
    name: `${$app.name}-${$app.stage}-failed-backups`,
    description: "A backup of the database failed. See docs/operations.md, Backups.",
    eventPattern: $jsonStringify({
      source: ["aws.backup"],
      "detail-type": ["Backup Job State Change"],
      detail: { resourceArn: [cluster.arn], state: ["FAILED", "ABORTED", "EXPIRED"] },
    }),
  });
  new aws.cloudwatch.EventTarget("FailedBackupsTarget", { rule: rule.name, arn: topic.arn });

  const { accountId } = aws.getCallerIdentityOutput({});
  const publish = (service: string, Condition: Record<string, Record<string, $util.Input<string>>>) => ({
    Effect: "Allow",
    Principal: { Service: service },
    Action: "sns:Publish",
    Resource: topic.arn,
    Condition,
  });
  new aws.sns.TopicPolicy("AlarmsPolicy", {
    arn: topic.arn,
    policy: $jsonStringify({
      Version: "2012-10-17",
      Statement: [
        publish("cloudwatch.amazonaws.com", { StringEquals: { "aws:SourceAccount": accountId } }),
        publish("events.amazonaws.com", { ArnEquals: { "aws:SourceArn": rule.arn } }),
      ],
    }),
  });
}
