import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { current } from "../openapi/current.ts";

type Media = Record<string, { schema: object }>;
type Document = { paths: Record<string, Record<string, { responses: Record<string, { content?: Media }> }>> };

const document = (await current()) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "openapi", ...document });

/** Throws unless the OpenAPI document allows this response of a route. `request` calls it for every response. */
export function conforms(
  routeKey: string,
  status: number,
  contentType: string | undefined,
  body: unknown,
): void {
  if (routeKey === "$default") return;
  const [verb = "", path = ""] = routeKey.split(" ");
  const method = verb.toLowerCase();
  const responses = document.paths[path]?.[method]?.responses ?? {};
  const where = `${routeKey} ${status}`;
  const documented = responses[status];
  if (!documented) throw new Error(`${where} is not in the OpenAPI document: ${JSON.stringify(body)}`);
  if (!documented.content) {
    if (body === undefined) return;
    throw new Error(`${where} has a body that is not in the OpenAPI document: ${JSON.stringify(body)}`);
  }
  const media = contentType?.split(";")[0] ?? "none";
  if (!documented.content[media])
    throw new Error(`${where} has the media type ${media}, which is not in the OpenAPI document`);
  requireMatch(body, ["paths", path, method, "responses", String(status), "content", media, "schema"], where);
}

/** Throws unless the OpenAPI document allows this body for a webhook event of this type. */
export function conformsAsWebhook(type: string, body: unknown): void {
  const content = ["requestBody", "content", "application/json", "schema"];
  requireMatch(body, ["webhooks", type, "post", ...content], `the webhook ${type}`);
}

function requireMatch(body: unknown, path: readonly string[], where: string): void {
  const pointer = path
    .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
    .join("/");
  const matches = ajv.getSchema(`openapi#/${pointer}`);
  if (!matches) throw new Error(`${where} has no schema in the OpenAPI document`);
  if (!matches(body))
    throw new Error(`${where} does not match the OpenAPI document: ${ajv.errorsText(matches.errors)}`);
}
