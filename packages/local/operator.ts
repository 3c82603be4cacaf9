import { parseArgs } from "node:util";
import { jobs } from "@svc/functions/jobs";

/**
 * `npm run operator -- NAME '{…}'` runs a job on the local server, and with `--stage S` the deployed function of that
 * stage, under the name that the stacks give it, with the AWS credentials of the environment.
 */
const { values, positionals } = parseArgs({ options: { stage: { type: "string" } }, allowPositionals: true });
const [name = "", payload = "{}"] = positionals;

try {
  if (!(name in jobs)) throw new Error(`Name one of: ${Object.keys(jobs).join(", ")}.`);
  JSON.parse(payload);
  console.log(await (values.stage ? invoke(values.stage) : post()));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function post(): Promise<string> {
  const url = `http://localhost:${process.env.PORT ?? 4000}/_local/jobs/${name}`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: payload,
  }).catch(() => {
    throw new Error(`Nothing answers at ${url}: is npm start running? For a deployed stage, add --stage.`);
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function invoke(stage: string): Promise<string> {
  const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  const client = new LambdaClient({});
  const answer = await client.send(
    new InvokeCommand({ FunctionName: `svc-${stage}-${name}`, Payload: Buffer.from(payload) }),
  );
  const text = Buffer.from(answer.Payload ?? []).toString();
  if (answer.FunctionError) throw new Error(text);
  return text;
}
