import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type RouteKey, routes } from "../routes.ts";
import { conforms } from "./conforms.ts";

/**
 * The parts of a request that tests choose. `body` is sent as it is if it is text or bytes, and otherwise as JSON. `path` has
 * the path parameters by name; `ip` is the client's IP address.
 */
export type RequestOptions = {
  token?: string;
  cookies?: string[];
  headers?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  query?: Record<string, string>;
  path?: Record<string, string>;
  ip?: string;
};

/** A response with its parsed body. */
export type TestResponse = {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the body that it expects.
  body: any;
};

let count = 0;

/** Calls the handler of a route as API Gateway would, and checks the response against the OpenAPI document. */
export async function request(routeKey: RouteKey, options: RequestOptions = {}): Promise<TestResponse> {
  const handler = await load<Handler>(routes[routeKey].handler);
  const result = await handler(await event(routeKey, options), context());
  const headers = (result.headers ?? {}) as Record<string, string>;
  // The gateway sends no body with the response to a HEAD request.
  const text = routeKey.startsWith("HEAD ") ? "" : (result.body ?? "");
  const isJson = /^application\/(?:\w+\+)?json\b/.test(headers["content-type"] ?? "");
  const body = text === "" ? undefined : isJson ? JSON.parse(text) : text;
  const status = result.statusCode ?? 200;
  conforms(routeKey, status, headers, body);
  return { status, headers, cookies: result.cookies ?? [], body };
}

/** Returns the event of API Gateway (payload format 2.0) for a request. */
export async function event(routeKey: string, options: RequestOptions): Promise<APIGatewayProxyEventV2> {
  const [method = "GET", pattern = "/"] = routeKey.split(" ");
  // The gateway decodes the path.
  const rawPath = pattern.replace(/\{(\w+)\}/g, (_, name: string) => options.path?.[name] ?? "");
  const requestId = `test-${++count}`;
  return {
    version: "2.0",
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(options.query).toString(),
    ...(options.query && { queryStringParameters: options.query }),
    ...(options.path && { pathParameters: options.path }),
    ...(options.cookies && { cookies: options.cookies }),
    requestContext: {
      accountId: "000000000000",
      apiId: "test",
      domainName: "localhost",
      domainPrefix: "localhost",
      http: {
        method,
        path: rawPath,
        protocol: "HTTP/1.1",
        sourceIp: options.ip ?? "127.0.0.1",
        userAgent: "test",
      },
      requestId,
      routeKey,
      stage: "$default",
      time: "",
      timeEpoch: 0,
    },
    ...(await content(options)),
  };
}

async function content({ token, headers = {}, body, form }: RequestOptions) {
  const base = { "user-agent": "test", ...(token && { authorization: `Bearer ${token}` }) };
  if (form) {
    const encoded = new Response(form);
    const type = encoded.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await encoded.arrayBuffer());
    return {
      headers: { ...base, "content-type": type, ...headers },
      body: bytes.toString("base64"),
      isBase64Encoded: true,
    };
  }
  if (body instanceof Uint8Array)
    return {
      headers: { ...base, ...headers },
      body: Buffer.from(body).toString("base64"),
      isBase64Encoded: true,
    };
  if (body === undefined) return { headers: { ...base, ...headers }, isBase64Encoded: false };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    headers: { ...base, "content-type": "application/json", ...headers },
    body: text,
    isBase64Encoded: false,
  };
}

/** Returns a multipart form with one file. */
export function form(file: Uint8Array, name = "avatar", fileName = "photo.jpg"): FormData {
  const data = new FormData();
  data.append(name, new Blob([new Uint8Array(file)]), fileName);
  return data;
}

function context(): Context {
  return {
    awsRequestId: `test-${count}`,
    functionName: "test",
    getRemainingTimeInMillis: () => 30_000,
  } as Context;
}
