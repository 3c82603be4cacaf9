import { all, deployed, workQueueOf } from "../resources.ts";
import { difference, drop, one, type Rule } from "./rule.ts";

const mapping = "aws:lambda/eventSourceMapping:EventSourceMapping";
const queue = "aws:sqs/queue:Queue";

export const sqsRules: Rule[] = [
  {
    promise:
      "the queue feeds its consumers unless the stage is paused, with partial batch responses, hides messages while they are processed, and keeps failed messages for 14 days",
    offences: (evaluated) => {
      const work = workQueueOf(evaluated);
      const { deadLetterTargetArn: target, maxReceiveCount = 0 } = JSON.parse(
        work?.inputs.redrivePolicy ?? "{}",
      );
      const deadLetters = all(evaluated, queue).find(({ outputs }) => outputs.arn === target);
      const functions = deployed(evaluated);
      const got = all(evaluated, mapping).map(({ inputs }) => {
        const consumer = functions.find(({ fn }) => fn.outputs.name === inputs.functionName);
        const partial = String(inputs.functionResponseTypes) === "ReportBatchItemFailures";
        const source = inputs.eventSourceArn === work?.outputs.arn ? "the queue" : "elsewhere";
        const state = inputs.enabled === false ? "off" : "on";
        return `${consumer?.key} ${state}: ${inputs.batchSize} from ${source}, concurrency ${inputs.scalingConfig?.maximumConcurrency}, ${partial ? "partial" : "whole"} batches`;
      });
      const consumers = functions.filter(({ line }) => line.queue);
      const wanted = consumers.map(
        ({ key, line }) =>
          `${key} ${evaluated.settings.paused ? "off" : "on"}: ${line.queue?.batchSize} from the queue, concurrency ${line.queue?.concurrency}, partial batches`,
      );
      return [
        ...difference(got, wanted, "consumer"),
        ...consumers
          .filter(({ fn }) => !(work && work.inputs.visibilityTimeoutSeconds >= 6 * fn.inputs.timeout))
          .map(({ key }) => `a batch may be received again while ${key} processes it`),
        ...(deadLetters?.inputs.messageRetentionSeconds === 14 * 86_400 && maxReceiveCount > 1
          ? []
          : ["failed messages would be lost"]),
      ];
    },
    brokenBy: {
      "a consumer that reports only whole batches": (r) =>
        Object.assign(one(r, mapping).inputs, { functionResponseTypes: [] }),
      "a queue without a consumer": (r) => drop(r, mapping),
      "a visibility timeout shorter than the consumer's timeout": (r) =>
        Object.assign(one(r, queue, /Work/).inputs, { visibilityTimeoutSeconds: 30 }),
      "failed messages that are kept for a minute": (r) =>
        Object.assign(one(r, queue, /DeadLetters/).inputs, { messageRetentionSeconds: 60 }),
      "a consumer that receives nothing": (r) => Object.assign(one(r, mapping).inputs, { enabled: false }),
    },
    brokenDuringRestoreBy: {
      "a paused stage with a running consumer": (r) => delete one(r, mapping).inputs.enabled,
    },
  },
];
