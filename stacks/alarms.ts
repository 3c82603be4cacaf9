import { api } from "./gateway.ts";
import { deadLetters } from "./queue.ts";
import { jobFunctions } from "./schedules.ts";
import { settings } from "./stage.ts";

/** From here on people notice, in milliseconds. */
const slowMs = 1500;

/** Where alarms go. Mails are sent once their reader has confirmed the subscription. */
export const topic = new aws.sns.Topic("Alarms", { name: `${$app.name}-${$app.stage}-alarms` });

/** The namespace of what is counted in our own log lines. */
export const namespace = `${$app.name}/${$app.stage}`;

/** Metrics that alarms and the dashboard both look at. */
export const metric = { staleSources: "StaleRateSources" };

export type Alarm = {
  /** What is wrong and where to look, for whoever is woken. */
  description: string;
  namespace: string;
  metricName: string;
  dimensions?: Record<string, $util.Input<string>>;
  /** Alarms above this. */
  threshold: number;
  statistic?: "Sum" | "Maximum";
  percentile?: "p99";
  periodSeconds?: number;
  /** In how many of as many periods in a row. */
  periods?: number;
};

/** Watch a metric. Where there is no data nothing is wrong. */
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
 * Everything that somebody should hear of. Routes are watched at the gateway, which answers 5xx for a function that fails,
 * is throttled or does not answer; jobs have no gateway, so each is watched itself. The dashboard tells which function it is.
 */
export function watch(): void {
  const { alarmMail } = settings();
  if (alarmMail)
    new aws.sns.TopicSubscription("AlarmMail", { topic: topic.arn, protocol: "email", endpoint: alarmMail });

  const gateway = { namespace: "AWS/ApiGateway", dimensions: { ApiId: api.nodes.api.id } };
  alarm("ApiErrors", {
    ...gateway,
    metricName: "5xx",
    threshold: 5,
    description: "Routes fail: docs/operations.md, Errors.",
  });
  alarm("ApiSlow", {
    ...gateway,
    metricName: "Latency",
    percentile: "p99",
    threshold: slowMs,
    periods: 3,
    description: "One call in a hundred is slow: docs/operations.md, Slow answers.",
  });
  // Without a dimension it is the whole account, whose limit on concurrency all functions share.
  alarm("Throttles", {
    namespace: "AWS/Lambda",
    metricName: "Throttles",
    threshold: 0,
    periods: 2,
    description: "Lambda refuses calls: docs/operations.md, Throttles.",
  });

  for (const [name, { fn }] of Object.entries(jobFunctions))
    for (const metricName of ["Errors", "Throttles"])
      alarm(`${name}-${metricName.toLowerCase()}`, {
        namespace: "AWS/Lambda",
        metricName,
        dimensions: { FunctionName: fn.name },
        threshold: 0,
        description: `The job ${name} fails: docs/operations.md, Jobs.`,
      });

  alarm("DeadLetters", {
    namespace: "AWS/SQS",
    metricName: "ApproximateNumberOfMessagesVisible",
    dimensions: { QueueName: deadLetters.nodes.queue.name },
    statistic: "Maximum",
    threshold: 0,
    description: "A message that no consumer could take, which is a bug: docs/operations.md, Dead letters.",
  });

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
    description: "A bank has published nothing that we could take for days: docs/operations.md, Stale rates.",
  });
}
