import type { Resource } from "./recorded.ts";

/** Somebody's mistake of tomorrow: what they would change, and the promise that it breaks. */
export type Mistake = { promise: RegExp; change: (resources: Resource[]) => unknown };

const bucket = "aws:s3/bucket:Bucket";
const bucketPolicy = "aws:s3/bucketPolicy:BucketPolicy";
const publicAccessBlock = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock";
const cachePolicy = "aws:cloudfront/cachePolicy:CachePolicy";
const cluster = "aws:dsql/cluster:Cluster";
const distribution = "aws:cloudfront/distribution:Distribution";
const edgeFunction = "aws:cloudfront/function:Function";
const gatewayStage = "aws:apigatewayv2/stage:Stage";
const invocation = "aws:lambda/invocation:Invocation";
const logGroup = "aws:cloudwatch/logGroup:LogGroup";
const mapping = "aws:lambda/eventSourceMapping:EventSourceMapping";
const pagePolicy = "aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy";
const queue = "aws:sqs/queue:Queue";
const schedule = "aws:scheduler/schedule:Schedule";
const userPolicy = "aws:iam/userPolicy:UserPolicy";

function one(resources: Resource[], type: string, name = /./): Resource {
  const found = resources.find((resource) => resource.type === type && name.test(resource.name));
  if (!found) throw new Error(`There is no ${type} ${name} to make a mistake with.`);
  return found;
}

function drop(resources: Resource[], type: string, name?: RegExp): void {
  resources.splice(resources.indexOf(one(resources, type, name)), 1);
}

function add(resources: Resource[], type: string, inputs: Resource["inputs"] = {}): void {
  const nothing = { parent: "", secrets: [], dependencies: [], retainOnDelete: false };
  resources.push({ type, name: "Extra", urn: `extra::${type}`, inputs, outputs: inputs, ...nothing });
}

/** The function of a component. */
function fn(resources: Resource[], name: string): Resource {
  return one(resources, "aws:lambda/function:Function", new RegExp(`^${name}Function$`));
}

function told(resources: Resource[], name: string): Record<string, string> {
  return fn(resources, name).inputs.environment.variables;
}

function role(resources: Resource[], name: string): Resource {
  return one(resources, "aws:iam/role:Role", new RegExp(`^${name}Role$`));
}

/** One more statement in the first policy of a role, a user or a bucket. */
function allow({ inputs }: Resource, action: string, resource: string): void {
  const holder = inputs.inlinePolicies?.[0] ?? inputs;
  const document = JSON.parse(holder.policy);
  document.Statement.push({ Effect: "Allow", Action: [action], Resource: [resource] });
  holder.policy = JSON.stringify(document);
}

/** What the router does with the API's paths. */
function behaviours(resources: Resource[]): Record<string, unknown>[] {
  return one(resources, distribution).inputs.orderedCacheBehaviors;
}

/** Where the router asks: the first is the client's, the second the gateway. */
function origins(resources: Resource[]): Record<string, unknown>[] {
  return one(resources, distribution).inputs.origins;
}

/** The statement by which the router reads the client's files. */
function reading(resources: Resource[], change: (statement: Record<string, unknown>) => unknown): void {
  const { inputs } = one(resources, bucketPolicy, /^Web/);
  const document = JSON.parse(inputs.policy);
  for (const statement of document.Statement) if (statement.Effect === "Allow") change(statement);
  inputs.policy = JSON.stringify(document);
}

function siteFile(resources: Resource[], key: RegExp): { cacheControl: string } {
  const { inputs } = one(resources, "pulumi-nodejs:dynamic:Resource", /BucketFiles/);
  return inputs.files.find((file: { key: string }) => key.test(file.key));
}

export const mistakes: Record<string, Mistake> = {
  "a function that no line names": {
    promise: /one function for each/,
    change: (r) => add(r, "aws:lambda/function:Function", { name: "svc-production-extra" }),
  },
  "a route without its function": {
    promise: /one function for each/,
    change: (r) => drop(r, "aws:lambda/function:Function", /^GetAuthMeFunction$/),
  },
  "two routes of one function": {
    promise: /one function for each/,
    change: (r) => {
      const other = r.find(({ inputs }) => inputs.integrationUri === fn(r, "GetTeamId").outputs.arn);
      Object.assign(other?.inputs ?? {}, { integrationUri: fn(r, "GetTeam").outputs.arn });
    },
  },
  "an x86 processor": {
    promise: /on arm64/,
    change: (r) => Object.assign(fn(r, "GetHealth").inputs, { architectures: ["x86_64"] }),
  },
  "little memory for pictures": {
    promise: /on arm64/,
    change: (r) => Object.assign(fn(r, "PostApiUploadAvatar").inputs, { memorySize: 512 }),
  },
  "little memory for files": {
    promise: /on arm64/,
    change: (r) => Object.assign(fn(r, "PostV1ReportsGenerate").inputs, { memorySize: 512 }),
  },
  "a variable forgotten": {
    promise: /told what its line calls for/,
    change: (r) => delete told(r, "GetAuthMe").TOKEN_KEYS,
  },
  "an allocator left to itself, where pictures are decoded": {
    promise: /told what its line calls for/,
    change: (r) => delete told(r, "PostApiUploadAvatar").MALLOC_ARENA_MAX,
  },
  "a variable too many": {
    promise: /told what its line calls for/,
    change: (r) => Object.assign(told(r, "GetTeam"), { SMTP_URL: "smtp://mail.svc.test" }),
  },
  "an environment in plain text": {
    promise: /secret of the state/,
    change: (r) => Object.assign(fn(r, "GetTeam"), { secrets: [] }),
  },
  "s3:* for a key": {
    promise: /by wildcard/,
    change: (r) => allow(one(r, userPolicy, /AvatarsRead/), "s3:*", one(r, bucket).outputs.arn),
  },
  "a right on everything": {
    promise: /this stack has not made/,
    change: (r) => allow(role(r, "GetTeam"), "dsql:DbConnect", "*"),
  },
  "a consumer that answers for whole batches": {
    promise: /the queue feeds/,
    change: (r) => Object.assign(one(r, mapping).inputs, { functionResponseTypes: [] }),
  },
  "a queue without a consumer": { promise: /the queue feeds/, change: (r) => drop(r, mapping) },
  "messages that come back while they are at work": {
    promise: /the queue feeds/,
    change: (r) => Object.assign(one(r, queue, /Work/).inputs, { visibilityTimeoutSeconds: 30 }),
  },
  "dead letters that are soon gone": {
    promise: /the queue feeds/,
    change: (r) => Object.assign(one(r, queue, /DeadLetters/).inputs, { messageRetentionSeconds: 60 }),
  },
  "a queue for a function that sends nothing": {
    promise: /use the queue/,
    change: (r) => allow(role(r, "GetTeam"), "sqs:SendMessage", one(r, queue, /Work/).outputs.arn),
  },
  "another function's log": {
    promise: /its own log/,
    change: (r) =>
      allow(role(r, "GetTeam"), "logs:PutLogEvents", `${one(r, logGroup, /GetAuthMe/).outputs.arn}:*`),
  },
  "a route that may connect as admin": {
    promise: /its own log/,
    change: (r) => allow(role(r, "GetTeam"), "dsql:DbConnectAdmin", one(r, cluster).outputs.arn),
  },
  "one role for two": {
    promise: /share a role/,
    change: (r) => Object.assign(fn(r, "GetTeam").inputs, { role: fn(r, "PostTeam").inputs.role }),
  },
  "S3 for a role": {
    promise: /no role has any right in S3/,
    change: (r) => allow(role(r, "GetAuthMe"), "s3:GetObject", `${one(r, bucket).outputs.arn}/x`),
  },
  AdministratorAccess: {
    promise: /that AWS wrote/,
    change: (r) =>
      role(r, "GetTeam").inputs.managedPolicyArns.push("arn:aws:iam::aws:policy/AdministratorAccess"),
  },
  "a role for the whole account": {
    promise: /the one service/,
    change: (r) => {
      const [statement] = role(r, "GetTeam").inputs.assumeRolePolicy.Statement;
      statement.Principal.AWS = "arn:aws:iam::111111111111:root";
    },
  },
  "the key of another need": {
    promise: /what its need says/,
    change: (r) => {
      const { STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY } = told(r, "PostApiUploadAvatar");
      Object.assign(told(r, "GetUserProfile"), { STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY });
    },
  },
  "a reading key that writes": {
    promise: /only upload and removal/,
    change: (r) =>
      allow(
        one(r, userPolicy, /AvatarsRead/),
        "s3:PutObject",
        `${one(r, bucket, /Avatars/).outputs.arn}/avatars/*`,
      ),
  },
  "a writing key that lists": {
    promise: /only upload and removal/,
    change: (r) =>
      allow(one(r, userPolicy, /AvatarsWrite/), "s3:ListBucket", one(r, bucket, /Avatars/).outputs.arn),
  },
  "a list of everything": {
    promise: /listing is limited/,
    change: (r) => {
      const { inputs } = one(r, userPolicy, /AvatarsSweep/);
      inputs.policy = inputs.policy.replace('"avatars/"', '""');
    },
  },
  "a key that nobody holds": {
    promise: /some function has/,
    change: (r) => add(r, "aws:iam/user:User", { name: "svc-production-spare" }),
  },
  "a bucket elsewhere": {
    promise: /in the storage region/,
    change: (r) => delete one(r, bucket, /Avatars/).region,
  },
  "a third bucket": {
    promise: /in the storage region/,
    change: (r) => add(r, bucket, { bucket: "svc-more-production-111111111111", region: "eu-central-2" }),
  },
  "reports that stay for ever": {
    promise: /gone from their bucket/,
    change: (r) => drop(r, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", /Files/),
  },
  "pictures that go by themselves": {
    promise: /gone from their bucket/,
    change: (r) =>
      add(r, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", {
        bucket: one(r, bucket, /Avatars/).outputs.bucket,
        rules: [{ filter: { prefix: "" }, expiration: { days: 1 }, status: "Enabled" }],
      }),
  },
  "no public-access block": {
    promise: /closed to the public/,
    change: (r) => drop(r, publicAccessBlock, /Avatars/),
  },
  "half a public-access block": {
    promise: /closed to the public/,
    change: (r) => Object.assign(one(r, publicAccessBlock).inputs, { restrictPublicBuckets: false }),
  },
  "a bucket policy for everybody": {
    promise: /closed to the public/,
    change: (r) => allow(one(r, bucketPolicy), "s3:GetObject", `${one(r, bucket).outputs.arn}/*`),
  },
  "plain http": {
    promise: /refuses plain http/,
    change: (r) => drop(r, bucketPolicy),
  },
  "object lock": {
    promise: /object lock or CORS/,
    change: (r) => Object.assign(one(r, bucket).inputs, { objectLockEnabled: true }),
  },
  "CORS on a bucket": {
    promise: /object lock or CORS/,
    change: (r) => add(r, "aws:s3/bucketCorsConfiguration:BucketCorsConfiguration"),
  },
  "a production bucket that is emptied": {
    promise: /outlives the stack/,
    change: (r) => Object.assign(one(r, bucket, /Avatars/).inputs, { forceDestroy: true }),
  },
  "a production database that is removed": {
    promise: /outlives the stack/,
    change: (r) => Object.assign(one(r, cluster), { retainOnDelete: false }),
  },
  "no backup": {
    promise: /outlives the stack/,
    change: (r) => drop(r, "aws:backup/selection:Selection"),
  },
  "no throttling": {
    promise: /limits the rate/,
    change: (r) => delete one(r, gatewayStage).inputs.defaultRouteSettings,
  },
  "no access log": {
    promise: /limits the rate/,
    change: (r) => delete one(r, gatewayStage).inputs.accessLogSettings.destinationArn,
  },
  "tokens in the access log": {
    promise: /limits the rate/,
    change: (r) =>
      Object.assign(one(r, gatewayStage).inputs.accessLogSettings, { format: "$context.authorizer.cookie" }),
  },
  "CORS on the gateway": {
    promise: /passes on every route/,
    change: (r) =>
      Object.assign(one(r, "aws:apigatewayv2/api:Api").inputs, {
        corsConfiguration: { allowOrigins: ["*"] },
      }),
  },
  "a route that is not in the table": {
    promise: /passes on every route/,
    change: (r) =>
      add(r, "aws:apigatewayv2/route:Route", { routeKey: "GET /extra", authorizationType: "NONE" }),
  },
  "a function URL": {
    promise: /nobody but the gateway/,
    change: (r) => add(r, "aws:lambda/functionUrl:FunctionUrl"),
  },
  "a permission for everybody": {
    promise: /nobody but the gateway/,
    change: (r) => Object.assign(one(r, "aws:lambda/permission:Permission").inputs, { principal: "*" }),
  },
  "a schedule at another time": {
    promise: /every schedule/,
    change: (r) => Object.assign(one(r, schedule).inputs, { scheduleExpression: "rate(1 minute)" }),
  },
  "a schedule too few": {
    promise: /every schedule/,
    change: (r) => drop(r, schedule),
  },
  "a schedule that may invoke another function": {
    promise: /every schedule/,
    change: (r) =>
      allow(role(r, "SweepAvatarsSchedule"), "lambda:InvokeFunction", fn(r, "SetPlan").outputs.arn),
  },
  "no migration": {
    promise: /the migrator runs/,
    change: (r) => drop(r, invocation),
  },
  "a migration that runs once and never again": {
    promise: /the migrator runs/,
    change: (r) => Object.assign(one(r, invocation).inputs.triggers, { migrations: "1" }),
  },
  "a role that the database does not know": {
    promise: /the migrator runs/,
    change: (r) => {
      const { inputs } = one(r, invocation);
      inputs.input = JSON.stringify({ functionRoles: JSON.parse(inputs.input).functionRoles.slice(1) });
    },
  },
  "new code on the old schema": {
    promise: /the migrator runs/,
    change: (r) => Object.assign(fn(r, "GetTeam"), { dependencies: [] }),
  },
  "a function that owns the schema": {
    promise: /owns the schema/,
    change: (r) => Object.assign(told(r, "GetTeam"), { DSQL_ADMIN: "true" }),
  },
  "pictures that nothing brings back": {
    promise: /brought back/,
    change: (r) => drop(r, "aws:s3/bucketVersioning:BucketVersioning", /Avatars/),
  },
  "a removed picture that stays for ever": {
    promise: /brought back/,
    change: (r) => drop(r, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration", /Avatars/),
  },
  "a job whose failing nobody hears of": {
    promise: /somebody hears/,
    change: (r) => drop(r, "aws:cloudwatch/metricAlarm:MetricAlarm", /sweep-avatars-errors/),
  },
  "an alarm without anybody to hear it": {
    promise: /somebody hears/,
    change: (r) =>
      Object.assign(one(r, "aws:cloudwatch/metricAlarm:MetricAlarm").inputs, { alarmActions: [] }),
  },
  "stale rates that nobody counts": {
    promise: /somebody hears/,
    change: (r) => drop(r, "aws:cloudwatch/logMetricFilter:LogMetricFilter"),
  },
  "messages given up unheard": {
    promise: /somebody hears/,
    change: (r) =>
      add(r, "aws:sqs/queue:Queue", {
        redrivePolicy: JSON.stringify({
          deadLetterTargetArn: "arn:aws:sqs:eu-central-1:111111111111:given-up",
        }),
      }),
  },
  "no dashboard": {
    promise: /the dashboard/,
    change: (r) => drop(r, "aws:cloudwatch/dashboard:Dashboard"),
  },
  "two resources of one name": {
    promise: /no two resources/,
    change: (r) => r.push({ ...fn(r, "GetTeam"), type: "another" }),
  },
  "a client that every distribution of AWS may read": {
    promise: /closed to the public/,
    change: (r) => reading(r, (statement) => delete statement.Condition),
  },
  "a client that everybody may read": {
    promise: /closed to the public/,
    change: (r) => reading(r, (statement) => Object.assign(statement, { Principal: { "*": ["*"] } })),
  },
  "a client that nobody can read": {
    promise: /closed to the public/,
    change: (r) => reading(r, (statement) => Object.assign(statement, { Effect: "Deny" })),
  },
  "a path of the API that the client answers": {
    promise: /hands every path/,
    change: (r) => behaviours(r).pop(),
  },
  "a path of the API that goes elsewhere": {
    promise: /hands every path/,
    change: (r) => Object.assign(behaviours(r)[0] ?? {}, { targetOriginId: "default" }),
  },
  "a router before another gateway": {
    promise: /hands every path/,
    change: (r) => Object.assign(origins(r)[1] ?? {}, { domainName: "api.example.com" }),
  },
  "an API that is only read": {
    promise: /hands every path/,
    change: (r) => Object.assign(behaviours(r)[0] ?? {}, { allowedMethods: ["GET", "HEAD"] }),
  },
  "an API without cookies": {
    promise: /hands every path/,
    change: (r) => delete behaviours(r)[0]?.originRequestPolicyId,
  },
  "an address as the viewer says it": {
    promise: /viewer's address/,
    change: (r) => Object.assign(behaviours(r)[0] ?? {}, { functionAssociations: [] }),
  },
  "a function for the address that does not run": {
    promise: /viewer's address/,
    change: (r) =>
      Object.assign(one(r, edgeFunction, /^ViewerIp$/).inputs, {
        code: "function handler(event) { return request; }",
      }),
  },
  "a function for the address that believes the viewer": {
    promise: /viewer's address/,
    change: (r) =>
      Object.assign(one(r, edgeFunction, /^ViewerIp$/).inputs, {
        code: "function handler(event) { return event.request; }",
      }),
  },
  "no place": {
    promise: /viewer's address/,
    change: (r) => {
      const { parametersInCacheKeyAndForwardedToOrigin: key } = one(r, cachePolicy, /^ApiCache$/).inputs;
      key.headersConfig.headers.items = ["Authorization", "X-Workspace-Id"];
    },
  },
  "no secret": {
    promise: /router's secret/,
    change: (r) => delete origins(r)[1]?.customHeaders,
  },
  "a secret for the bucket": {
    promise: /router's secret/,
    change: (r) => Object.assign(origins(r)[0] ?? {}, { customHeaders: origins(r)[1]?.customHeaders }),
  },
  "a secret in plain text": {
    promise: /router's secret/,
    change: (r) => Object.assign(one(r, distribution), { secrets: [] }),
  },
  "a secret in the code at the edge": {
    promise: /router's secret/,
    change: (r) =>
      Object.assign(one(r, edgeFunction, /^ViewerIp$/).inputs, {
        code: `// ${told(r, "GetTeam").ORIGIN_SECRET}`,
      }),
  },
  "a route that believes nobody": {
    promise: /router's secret/,
    change: (r) => delete told(r, "GetTeam").ORIGIN_SECRET,
  },
  "a job that could pass for the router": {
    promise: /router's secret/,
    change: (r) => Object.assign(told(r, "SetPlan"), { ORIGIN_SECRET: told(r, "GetTeam").ORIGIN_SECRET }),
  },
  "an API by plain http": {
    promise: /router speaks plain http/,
    change: (r) => Object.assign(behaviours(r)[0] ?? {}, { viewerProtocolPolicy: "allow-all" }),
  },
  "pages by plain http": {
    promise: /router speaks plain http/,
    change: (r) =>
      Object.assign(one(r, distribution).inputs.defaultCacheBehavior, { viewerProtocolPolicy: "allow-all" }),
  },
  "a secret sent by plain http": {
    promise: /router speaks plain http/,
    change: (r) =>
      Object.assign(origins(r)[1]?.customOriginConfig ?? {}, { originProtocolPolicy: "match-viewer" }),
  },
  "an old TLS": {
    promise: /router speaks plain http/,
    change: (r) =>
      Object.assign(one(r, distribution).inputs.viewerCertificate, { minimumProtocolVersion: "TLSv1" }),
  },
  "answers that are kept for a day": {
    promise: /kept for nobody else/,
    change: (r) => Object.assign(one(r, cachePolicy, /^ApiCache$/).inputs, { maxTtl: 86_400 }),
  },
  "answers that are kept whatever they say": {
    promise: /kept for nobody else/,
    change: (r) => Object.assign(one(r, cachePolicy, /^ApiCache$/).inputs, { minTtl: 1 }),
  },
  "one answer for all cookies": {
    promise: /kept for nobody else/,
    change: (r) => {
      const { parametersInCacheKeyAndForwardedToOrigin: key } = one(r, cachePolicy, /^ApiCache$/).inputs;
      key.cookiesConfig.cookieBehavior = "none";
    },
  },
  "errors that are kept": {
    promise: /kept for nobody else/,
    change: (r) => one(r, distribution).inputs.customErrorResponses.pop(),
  },
  "a page instead of the API's errors": {
    promise: /kept for nobody else/,
    change: (r) =>
      Object.assign(one(r, distribution).inputs.customErrorResponses[2], {
        responseCode: 200,
        responsePagePath: "/index.html",
      }),
  },
  "an inline script": {
    promise: /content policy/,
    change: (r) => {
      const { contentSecurityPolicy: policy } = one(r, pagePolicy).inputs.securityHeadersConfig;
      policy.contentSecurityPolicy += "; script-src 'self' 'unsafe-inline'";
    },
  },
  "pages without headers": {
    promise: /content policy/,
    change: (r) => delete one(r, distribution).inputs.defaultCacheBehavior.responseHeadersPolicyId,
  },
  "pages without HSTS": {
    promise: /content policy/,
    change: (r) => delete one(r, pagePolicy).inputs.securityHeadersConfig.strictTransportSecurity,
  },
  "an API with the headers of pages": {
    promise: /content policy/,
    change: (r) => Object.assign(behaviours(r)[0] ?? {}, { responseHeadersPolicyId: "SiteHeaders" }),
  },
  "yesterday's page": {
    promise: /asked for anew/,
    change: (r) => Object.assign(siteFile(r, /^index\.html$/), { cacheControl: "max-age=86400" }),
  },
  "scripts that are asked for anew": {
    promise: /asked for anew/,
    change: (r) => Object.assign(siteFile(r, /^assets\//), { cacheControl: "no-cache" }),
  },
  "files that take a POST": {
    promise: /asked for anew/,
    change: (r) => one(r, distribution).inputs.defaultCacheBehavior.allowedMethods.push("POST"),
  },
  "a query for the bucket": {
    promise: /asked for anew/,
    change: (r) => {
      const { parametersInCacheKeyAndForwardedToOrigin: key } = one(r, cachePolicy, /^Router/).inputs;
      key.queryStringsConfig.queryStringBehavior = "all";
    },
  },
  "another address": {
    promise: /router's own address/,
    change: (r) => Object.assign(told(r, "PostAuthRegister"), { APP_URL: "https://elsewhere.test" }),
  },
};
