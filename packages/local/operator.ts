import { parseArgs } from "node:util";
import { jobs } from "@svc/functions/jobs";

/**
 * Runs a job: `npm run operator -- NAME '{…}'` on the local server, with `--stage S` the deployed function of that stage, using
 * the AWS credentials of the environment.
 */
const { values, positionals } = parseArgs({ options: { stage: { type: "string" } }, allowPositionals: true });
const [name = "", payload = "{}"] = positionals;

try {
  if (!(name in jobs)) throw new Error(`Unknown job. Use one of: ${Object.keys(jobs).join(", ")}.`);
  JSON.parse(payload);
  console.log(await (values.stage ? invoke(values.stage) : post()));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function post(): Promise<string> {
  const port = process.env.SVC_TOOLS_PORT || Number(process.env.PORT || 4000) + 1;
  const url = `http://localhost:${port}/_local/jobs/${name}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: payload,
  }).catch(() => {
    throw new Error(`No response from ${url}. Run npm start first, or add --stage for a deployed stage.`);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function invoke(stage: string): Promise<string> {
  const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  const client = new LambdaClient({});
  const result = await client.send(
    new InvokeCommand({ FunctionName: `svc-${stage}-${name}`, Payload: Buffer.from(payload) }),
  );
  const text = Buffer.from(result.Payload ?? []).toString();
  if (result.FunctionError) throw new Error(text);
  return text;
}
