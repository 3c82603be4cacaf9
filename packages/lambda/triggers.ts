import { type Job, type JobName, jobs } from "@svc/functions/jobs";
import type { Evaluated, Resource } from "../../stacks/check/recorded.ts";
import { all } from "../../stacks/check/rules.ts";

/** What calls a function that no URL reaches, and with what. */
export type Trigger = {
  kind: "queue" | "schedule" | "deploy" | "hand";
  event: unknown;
  /** What AWS makes nothing of, as a sentence; undefined when it is content with the answer. */
  complaint(result: unknown): string | undefined;
};

const anything = () => undefined;

/** What the evaluated stack has call the function of a job: a queue, the clock, the deploy; if nothing does, an operator. */
export function triggers(evaluated: Evaluated, name: JobName, { outputs }: Resource): Trigger[] {
  const ofThis = (value: unknown) => value === outputs.arn || value === outputs.name;
  const found: Trigger[] = [];
  for (const { inputs } of all(evaluated, "aws:lambda/eventSourceMapping:EventSourceMapping"))
    if (ofThis(inputs.functionName))
      found.push({ kind: "queue", event: batch(inputs.eventSourceArn), complaint: unlessBatchResponse });
  for (const { inputs, outputs } of all(evaluated, "aws:scheduler/schedule:Schedule"))
    if (ofThis(inputs.target.arn))
      found.push({ kind: "schedule", event: tick(inputs.target.input, outputs.arn), complaint: anything });
  for (const { inputs } of all(evaluated, "aws:lambda/invocation:Invocation"))
    if (ofThis(inputs.functionName))
      found.push({ kind: "deploy", event: JSON.parse(inputs.input), complaint: anything });
  const { schedule, queue } = jobs[name] as Job & { queue?: unknown };
  if (found.length === 0 && (schedule || queue))
    throw new Error(`jobs.ts says that ${name} runs by itself, and nothing in the stack calls it.`);
  return found.length > 0 ? found : [{ kind: "hand", event: {}, complaint: anything }];
}

/** What SQS hands over. The message names nothing that there is: a consumer must live with one that comes too late. */
function batch(eventSourceARN: string) {
  const record = {
    messageId: "059f36b4-87a3-44ab-83d2-661975830a7d",
    receiptHandle: "a handle of the check",
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

/** With any other answer SQS takes the whole batch for done, or for failed. */
function unlessBatchResponse(result: unknown): string | undefined {
  const failures = (result as { batchItemFailures?: { itemIdentifier: string }[] } | null)?.batchItemFailures;
  return Array.isArray(failures) ? undefined : "the answer has no batchItemFailures";
}

/** What EventBridge Scheduler sends: the target's own input, or its notice where the target has none. */
function tick(input: string | undefined, arn: string): unknown {
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
