/** An answer, before the headers that all answers share. */
export type Reply = {
  status: number;
  body?: unknown;
  /** A body that is no JSON, as it is; its content type is among the headers. */
  text?: string;
  headers?: Record<string, string>;
  cookies?: string[];
};

/** 200 with this body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 200 with a body that carries a token or a signed URL, which no cache may keep. */
export function secret(body: unknown): Reply {
  return { status: 200, body, headers: { "cache-control": "no-store" } };
}

/** 201 with the new thing and its address. */
export function created(body: unknown, location: string): Reply {
  return { status: 201, body, headers: { location } };
}

/** An answer that no cache may keep. */
export function unkept(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, "cache-control": "no-store" } };
}

/** 201 with something that no cache may keep: it is shown this once, or carries a signed URL. */
export function createdSecret(body: unknown, location: string): Reply {
  return { status: 201, body, headers: { location, "cache-control": "no-store" } };
}

/** 202: taken on, with what can be shown of it now. */
export function accepted(body: unknown = {}): Reply {
  return { status: 202, body };
}

/** 204. */
export function noContent(): Reply {
  return { status: 204 };
}
