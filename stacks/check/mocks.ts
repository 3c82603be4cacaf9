import { writeFileSync } from "node:fs";
import { runtime } from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks.js";
import type { Resource } from "./recorded.ts";
import { whenStalled } from "./stalled.ts";

const account = "111111111111";
const region = process.env.SST_AWS_REGION ?? "";
/** The keys with which Pulumi marks a secret on the wire. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

const recorded: Resource[] = [];
const regions = new Map<string, string>();

/** Returns the outputs of a new resource that the program uses. ARNs must look real, because the program parses some. */
function created(
  type: string,
  name: string,
  inputs: Record<string, unknown>,
  imported = "",
): { id: string; state: object } {
  const [, service = "", kind = ""] = /^aws:(\w+)\/(\w+):/.exec(type) ?? [];
  const cluster = imported || "abcdefghijklmnopqrstuvwxyz";
  const physicalName = String(inputs.name ?? inputs.bucket ?? name);
  const regional = (rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;
  const arns: Record<string, string> = {
    "aws:s3/bucket:Bucket": `arn:aws:s3:::${physicalName}`,
    "aws:iam/role:Role": `arn:aws:iam::${account}:role/${physicalName}`,
    "aws:iam/user:User": `arn:aws:iam::${account}:user/${physicalName}`,
    "aws:lambda/function:Function": regional(`function:${physicalName}`),
    "aws:cloudwatch/logGroup:LogGroup": `arn:aws:logs:${region}:${account}:log-group:${physicalName}`,
    "aws:sqs/queue:Queue": regional(physicalName),
    "aws:dsql/cluster:Cluster": regional(`cluster/${cluster}`),
  };
  const arn = arns[type] ?? regional(`${kind}/${physicalName}`);
  const more: Record<string, object> = {
    "aws:iam/accessKey:AccessKey": { secret: `secret of ${name}` },
    "aws:s3/bucket:Bucket": { bucketRegionalDomainName: `${physicalName}.s3.${region}.amazonaws.com` },
    "aws:sqs/queue:Queue": { url: `https://sqs.${region}.amazonaws.com/${account}/${physicalName}` },
    "aws:apigatewayv2/api:Api": {
      apiEndpoint: `https://${name}.execute-api.${region}.amazonaws.com`,
      executionArn: `arn:aws:execute-api:${region}:${account}:${name}`,
    },
    "aws:dsql/cluster:Cluster": { identifier: cluster },
    "aws:lambda/function:Function": {
      invokeArn: `${arn}/invocations`,
      qualifiedArn: `${arn}:1`,
      version: "1",
    },
    "aws:cloudfront/distribution:Distribution": {
      arn: `arn:aws:cloudfront::${account}:distribution/${physicalName}`,
      domainName: "d111111abcdef8.cloudfront.net",
      hostedZoneId: "Z2FDTNDATAQYW2",
    },
    "aws:acm/certificate:Certificate": {
      domainValidationOptions: [
        {
          resourceRecordName: `_check.${inputs.domainName}`,
          resourceRecordType: "CNAME",
          resourceRecordValue: "_",
        },
      ],
    },
    "random:index/randomBytes:RandomBytes": { base64: "AAAA", hex: "00" },
  };
  // The id of an access key is the public part of the key. A user's id is its name.
  const id = type === "aws:iam/accessKey:AccessKey" ? `AKIA${name}` : physicalName;
  return { id, state: { ...inputs, arn, region, name: physicalName, ...more[type] } };
}

type Statement = {
  effect?: string;
  actions?: string[];
  resources?: string[];
  principals?: { type: string; identifiers: string[] }[];
  conditions?: { test: string; variable: string; values: string[] }[];
};

/** Returns the JSON document that AWS would return for these statements. */
function policyDocument(statements: Statement[] = []): string {
  const Statement = statements.map(({ effect, actions, resources, principals, conditions }) => ({
    Effect: effect ?? "Allow",
    Action: actions,
    Resource: resources,
    ...(principals && {
      Principal: Object.fromEntries(principals.map((one) => [one.type, one.identifiers])),
    }),
    ...(conditions && {
      Condition: Object.fromEntries(conditions.map((one) => [one.test, { [one.variable]: one.values }])),
    }),
  }));
  return JSON.stringify({ Version: "2012-10-17", Statement });
}

function functionResult(token: string, inputs: Record<string, unknown>): object {
  switch (token) {
    case "aws:index/getPartition:getPartition":
      return { partition: "aws", dnsSuffix: "amazonaws.com" };
    case "aws:index/getRegion:getRegion":
      return { region, name: region };
    case "aws:index/getCallerIdentity:getCallerIdentity":
      return { accountId: account, arn: `arn:aws:iam::${account}:user/deployer` };
    case "aws:iam/getPolicyDocument:getPolicyDocument": {
      const statements = inputs.statements as Statement[] | undefined;
      return { ...inputs, json: policyDocument(statements) };
    }
  }
  // AWS would return real data here. An invented result could hide a mistake.
  throw new Error(`The program calls ${token}, which has no mock.`);
}

/** Removes Pulumi's wrappers from secrets, at any depth. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const wrapped = value as Record<string, unknown>;
  if (wrapped[signature] === secretSignature) return plain(wrapped.value);
  return Object.fromEntries(Object.entries(wrapped).map(([name, inner]) => [name, plain(inner)]));
}

function isSecret(value: unknown): boolean {
  return (value as Record<string, unknown> | null)?.[signature] === secretSignature;
}

/** Runs the program, records every resource instead of creating it, and writes the records to a file. */
export async function evaluate(stage: string, program: () => Promise<unknown>, to: string): Promise<void> {
  await runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) =>
        created(type, name, plain(inputs) as Record<string, unknown>, id),
      call: ({ token, inputs }) => functionResult(token, plain(inputs) as Record<string, unknown>),
    },
    "svc",
    stage,
  );
  const register = MockMonitor.prototype.registerResource;
  MockMonitor.prototype.registerResource = function (request, callback) {
    return register.call(this, request, (error, response) => {
      if (!error) record(request, response);
      callback(error, response);
    });
  };
  const finished = whenStalled(
    () => recorded.length,
    (sentence) => {
      console.error(sentence);
      process.exit(1);
    },
  );
  await runtime.runInPulumiStack(program);
  await runtime.disconnect();
  finished();
  writeFileSync(to, JSON.stringify(recorded));
}

// biome-ignore lint/suspicious/noExplicitAny: Pulumi publishes no types for the messages of its wire protocol.
function record(request: any, response: any): void {
  const inputs: Record<string, unknown> = request.getObject()?.toJavaScript() ?? {};
  const type: string = request.getType();
  const urn: string = response.getUrn();
  if (type === "pulumi:providers:aws") regions.set(urn, String(plain(inputs.region)));
  // A provider reference is `<urn>::<id>`.
  const provider = String(request.getProvider()).replace(/::[^:]*$/, "");
  const providerRegion = regions.get(provider);
  recorded.push({
    type,
    name: request.getName(),
    urn,
    parent: request.getParent(),
    inputs: plain(inputs) as Resource["inputs"],
    secrets: Object.keys(inputs).filter((name) => isSecret(inputs[name])),
    outputs: { id: response.getId(), ...(plain(response.getObject()?.toJavaScript() ?? {}) as object) },
    ...(providerRegion && { region: providerRegion }),
    retainOnDelete: request.getRetainondelete(),
    importId: request.getImportid(),
    dependencies: request.getDependenciesList(),
  });
}
