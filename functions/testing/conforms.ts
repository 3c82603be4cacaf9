import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { current } from "../openapi/current.ts";

type Media = Record<string, { schema: object }>;
type Document = { paths: Record<string, Record<string, { responses: Record<string, { content?: Media }> }>> };

const document = (await current()) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "openapi", ...document });

/** Throws unless the OpenAPI document says that this route can answer this. Every response that a test sees comes by here. */
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
    throw new Error(`${where} has a body that the OpenAPI document does not know: ${JSON.stringify(body)}`);
  }
  const media = contentType?.split(";")[0] ?? "none";
  if (!documented.content[media])
    throw new Error(`${where} answered ${media}, which is not in the OpenAPI document`);
  holds(body, ["paths", path, method, "responses", String(status), "content", media, "schema"], where);
}

/** Throws unless the OpenAPI document says that a webhook of this type may be sent this. */
export function conformsAsWebhook(type: string, body: unknown): void {
  const content = ["requestBody", "content", "application/json", "schema"];
  holds(body, ["webhooks", type, "post", ...content], `the webhook ${type}`);
}

function holds(body: unknown, path: readonly string[], where: string): void {
  const pointer = path
    .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
    .join("/");
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (!validate) throw new Error(`${where} has no schema in the OpenAPI document`);
  if (!validate(body))
    throw new Error(`${where} is not what the OpenAPI document says: ${ajv.errorsText(validate.errors)}`);
}
