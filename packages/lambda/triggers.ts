import { type Job, type JobName, jobs } from "@svc/functions/jobs";
import type { Evaluated, Resource } from "../../stacks/check/recorded.ts";
import { all } from "../../stacks/check/resources.ts";

/** A source of invocations of a job's function, with an example event. */
export type Trigger = {
  kind: "queue" | "schedule" | "deploy" | "operator";
  event: unknown;
  /** Returns a sentence if AWS would not accept the result. */
  problemWith(result: unknown): string | undefined;
};

const acceptAny = () => undefined;

/** Returns what invokes a job's function in the evaluated stack: a queue, a schedule or the deployment, otherwise an operator. */
export function triggers(evaluated: Evaluated, name: JobName, { outputs }: Resource): Trigger[] {
  const isThisFunction = (value: unknown) => value === outputs.arn || value === outputs.name;
  const found: Trigger[] = [];
  for (const { inputs } of all(evaluated, "aws:lambda/eventSourceMapping:EventSourceMapping"))
    if (isThisFunction(inputs.functionName))
      found.push({ kind: "queue", event: batch(inputs.eventSourceArn), problemWith: requireBatchResponse });
  for (const { inputs, outputs } of all(evaluated, "aws:scheduler/schedule:Schedule"))
    if (isThisFunction(inputs.target.arn))
      found.push({
        kind: "schedule",
        event: scheduledEvent(inputs.target.input, outputs.arn),
        problemWith: acceptAny,
      });
  for (const { inputs } of all(evaluated, "aws:lambda/invocation:Invocation"))
    if (isThisFunction(inputs.functionName))
      found.push({ kind: "deploy", event: JSON.parse(inputs.input), problemWith: acceptAny });
  const { schedule, queue } = jobs[name] as Job & { queue?: unknown };
  if (found.length === 0 && (schedule || queue))
    throw new Error(`jobs.ts declares a schedule or queue for ${name}, but the stack has none.`);
  return found.length > 0 ? found : [{ kind: "operator", event: {}, problemWith: acceptAny }];
}

/** Returns an SQS event whose message refers to no existing row. Consumers must tolerate that. */
function batch(eventSourceARN: string) {
  const record = {
    messageId: "059f36b4-87a3-44ab-83d2-661975830a7d",
    receiptHandle: "example-receipt-handle",
    body: "{}",
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "1769817600000",
      SenderId: "AROACHECK",
      ApproximateFirstReceiveTimestamp: "1769817600001",
    },
    messageAttributes: {},
    md5OfBody: "99914b932bd37a50b983c5e7c90ae93b",
    eventSource: "aws:sqs",
    eventSourceARN,
    awsRegion: "eu-central-1",
  };
  return { Records: [record] };
}

/** Requires a partial batch response. For other results SQS treats the whole batch as done or as failed. */
function requireBatchResponse(result: unknown): string | undefined {
  const failures = (result as { batchItemFailures?: { itemIdentifier: string }[] } | null)?.batchItemFailures;
  return Array.isArray(failures) ? undefined : "the result has no batchItemFailures";
}

/** Returns the event of EventBridge Scheduler: the target's input, or the default event if it has none. */
function scheduledEvent(input: string | undefined, arn: string): unknown {
  if (input !== undefined) return JSON.parse(input);
  return {
    version: "0",
    id: "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
    "detail-type": "Scheduled Event",
    source: "aws.scheduler",
    account: "111111111111",
    time: "2026-01-31T00:00:00Z",
    region: "eu-central-1",
    resources: [arn],
    detail: "{}",
  };
}
