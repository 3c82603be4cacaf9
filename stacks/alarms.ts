import { api } from "./gateway.ts";
import { deadLetters } from "./queue.ts";
import { jobFunctions } from "./schedules.ts";
import { settings } from "./stage.ts";

/** The alarm goes off when p99 latency exceeds this many milliseconds, a delay that users notice. */
const slowMs = 1500;

/** The topic that receives all alarms. SNS sends email only after the recipient has confirmed the subscription. */
export const topic = new aws.sns.Topic("Alarms", { name: `${$app.name}-${$app.stage}-alarms` });

/** The namespace of the metrics that are extracted from log lines. */
export const namespace = `${$app.name}/${$app.stage}`;

/** Names of the metrics that both alarms and the dashboard use. */
export const metric = { staleSources: "StaleRateSources" };

export type Alarm = {
  /** Names the problem, and the section of docs/operations.md that explains what to do. */
  description: string;
  namespace: string;
  metricName: string;
  dimensions?: Record<string, $util.Input<string>>;
  /** The alarm goes off above this value. */
  threshold: number;
  statistic?: "Sum" | "Maximum";
  percentile?: "p99";
  periodSeconds?: number;
  /** How many consecutive periods must exceed the threshold. */
  periods?: number;
};

/** Creates an alarm for a metric. Missing data counts as normal. */
export function alarm(name: string, { statistic = "Sum", percentile, ...watched }: Alarm): void {
  const { description, threshold, periodSeconds = 300, periods = 1, dimensions = {} } = watched;
  new aws.cloudwatch.MetricAlarm(`${name}Alarm`, {
    name: `${$app.name}-${$app.stage}-${name}`,
    alarmDescription: description,
    namespace: watched.namespace,
    metricName: watched.metricName,
    dimensions,
    ...(percentile ? { extendedStatistic: percentile } : { statistic }),
    period: periodSeconds,
    evaluationPeriods: periods,
    datapointsToAlarm: periods,
    threshold,
    comparisonOperator: "GreaterThanThreshold",
    treatMissingData: "notBreaching",
    alarmActions: [topic.arn],
    okActions: [topic.arn],
  });
}

/**
 * Creates all alarms. The gateway's metrics cover routes, because it returns 5xx for a function that fails, is throttled or
 * times out. Jobs have no gateway, so each has its own alarms. The dashboard shows which function is the cause.
 */
export function createAlarms(): void {
  const { alarmMail } = settings();
  if (alarmMail)
    new aws.sns.TopicSubscription("AlarmMail", { topic: topic.arn, protocol: "email", endpoint: alarmMail });

  watchRoutes();
  watchJobs();
  watchRates();
}

function watchRoutes(): void {
  const gateway = { namespace: "AWS/ApiGateway", dimensions: { ApiId: api.nodes.api.id } };
  alarm("ApiErrors", {
    ...gateway,
    metricName: "5xx",
    threshold: 5,
    description: "Routes return 5xx errors. See docs/operations.md, Errors.",
  });
  alarm("ApiSlow", {
    ...gateway,
    metricName: "Latency",
    percentile: "p99",
    threshold: slowMs,
    periods: 3,
    description: "One request in a hundred is slow. See docs/operations.md, Slow responses.",
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

  alarm("DeadLetters", {
    namespace: "AWS/SQS",
    metricName: "ApproximateNumberOfMessagesVisible",
    dimensions: { QueueName: deadLetters.nodes.queue.name },
    statistic: "Maximum",
    threshold: 0,
    description:
      "A consumer failed on a message repeatedly, which indicates a bug. See docs/operations.md, Dead letters.",
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
