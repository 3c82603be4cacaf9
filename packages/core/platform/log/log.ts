import { Logger } from "@aws-lambda-powertools/logger";

const signed = /([?&]X-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"]+/gi;
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const ownToken = /\b(svc_pat_|whsec_)[\w+/=-]+/g;
const secretName =
  /^(?:password|token|secret|authorization|cookie|set-cookie|signedurl|mfatoken|devicetoken|code)$/i;

/** What may stand in a log line: a value whose name or form is that of a secret is masked, errors keep their causes. */
export function masked(name: string, value: unknown): unknown {
  if (secretName.test(name) && typeof value === "string") return "[masked]";
  if (typeof value !== "string") return value;
  return value.replace(signed, "$1[masked]").replace(jwt, "[masked]").replace(ownToken, "$1[masked]");
}

/**
 * One JSON line per call. Fields are given with each call and never appended to the logger, because the local
 * server answers many requests at once in one process.
 */
export const log = new Logger({ serviceName: "svc", jsonReplacerFn: masked });
