import { Logger } from "@aws-lambda-powertools/logger";
import * as Trace from "./trace.ts";

const signed = /([?&]X-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"]+/gi;
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const apiToken = /\b(svc_pat_|whsec_)[\w+/=-]+/g;
const secretName =
  /^(?:password|token|secret|authorization|cookie|set-cookie|signedurl|mfatoken|devicetoken|code)$/i;

/** Masks values whose name or format suggests a secret. Use it as the replacer of JSON.stringify. */
export function maskSecrets(name: string, value: unknown): unknown {
  if (secretName.test(name) && typeof value === "string") return "[masked]";
  if (typeof value !== "string") return value;
  return value.replace(signed, "$1[masked]").replace(jwt, "[masked]").replace(apiToken, "$1[masked]");
}

/** Adds the id of the running trace to a line, and masks its secrets. JSON.stringify calls it first for the whole line. */
export function replace(name: string, value: unknown): unknown {
  const trace = Trace.current();
  const whole = name === "" && typeof value === "object";
  return trace && whole ? { ...value, traceId: Trace.idOf(trace) } : maskSecrets(name, value);
}

/**
 * Writes one JSON line per call, with the id of the running trace. Pass fields with each call and never append them to the logger, because the local server
 * handles many requests at once in one process.
 */
export const log = new Logger({ serviceName: "svc", jsonReplacerFn: replace });
