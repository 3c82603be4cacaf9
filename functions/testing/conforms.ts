import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { routerBypassed } from "../http/request-origin.ts";
import { current } from "../openapi/current.ts";
import { headerNames } from "../openapi/headers.ts";

type Media = Record<string, { schema: object }>;
type Response = { content?: Media; headers?: Record<string, { $ref: string }>; $ref?: string };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: {
    responses: Record<string, Response>;
    headers: Record<string, { required?: boolean }>;
  };
};

const document = (await current()) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "openapi", ...document });

const everywhere =
  /^(?:RateLimit|RateLimit-Policy|Deprecation|Sunset|Link|Idempotency-Replayed|Preference-Applied)$/;

/**
 * Throws unless the OpenAPI document allows this response of a route. `request` calls it for every response. The names of the
 * headers are in lower case.
 */
export function conforms(
  routeKey: string,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
): void {
  if (routeKey === "$default" || (body as { code?: string } | undefined)?.code === routerBypassed) return;
  const [verb = "", path = ""] = routeKey.split(" ");
  const method = verb.toLowerCase();
  const responses = document.paths[path]?.[method]?.responses ?? {};
  const where = `${routeKey} ${status}`;
  const inline = responses[status];
  const shared = inline?.$ref?.replace("#/components/responses/", "");
  const documented = shared === undefined ? inline : document.components.responses[shared];
  if (!documented) throw new Error(`${where} is not in the OpenAPI document: ${JSON.stringify(body)}`);
  requireHeaders(documented, Object.values(responses), headers, where);
  if (!documented.content || method === "head") {
    if (body === undefined) return;
    throw new Error(`${where} has a body that is not in the OpenAPI document: ${JSON.stringify(body)}`);
  }
  const media = String(headers["content-type"] ?? "none").split(";")[0] ?? "";
  if (!documented.content[media])
    throw new Error(`${where} has the media type ${media}, which is not in the OpenAPI document`);
  const location =
    shared === undefined
      ? ["paths", path, method, "responses", String(status)]
      : ["components", "responses", shared];
  requireMatch(body, [...location, "content", media, "schema"], where);
}

/**
 * Throws for a header that is described for other responses but not for this one, and for a required one that is missing. The
 * headers of limits, deprecations, replays and preferences are described for successes, and errors can have them too.
 */
function requireHeaders(
  { headers: described = {} }: Response,
  responses: readonly Response[],
  headers: Readonly<Record<string, unknown>>,
  where: string,
): void {
  const ofRoute = new Set(responses.flatMap((response) => Object.keys(response.headers ?? {})));
  for (const name of headerNames) {
    const sent = headers[name.toLowerCase()] !== undefined;
    const { required } = document.components.headers[name.replaceAll("-", "")] ?? {};
    if (required && name in described && !sent) throw new Error(`${where} has no header ${name}`);
    const allowed = name in described || (everywhere.test(name) && ofRoute.has(name));
    if (sent && !allowed)
      throw new Error(`${where} has the header ${name}, which is not in the OpenAPI document`);
  }
}

/** Throws unless the OpenAPI document allows this body for a webhook event of this type. */
export function conformsAsWebhook(type: string, body: unknown): void {
  const content = ["requestBody", "content", "application/json", "schema"];
  requireMatch(body, ["webhooks", type, "post", ...content], `the webhook ${type}`);
}

function requireMatch(body: unknown, path: readonly string[], where: string): void {
  const errors = mismatch(body, path);
  if (errors) throw new Error(`${where} does not match the OpenAPI document: ${errors}`);
}

/** Describes how a value differs from the schema at this place of the OpenAPI document; undefined if it matches. */
export function mismatch(value: unknown, path: readonly string[]): string | undefined {
  const pointer = path
    .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
    .join("/");
  const matches = ajv.getSchema(`openapi#/${pointer}`);
  if (!matches) throw new Error(`The OpenAPI document has no schema at ${path.join("/")}.`);
  return matches(value) ? undefined : ajv.errorsText(matches.errors);
}
