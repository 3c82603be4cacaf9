/** A response without the headers that all responses share. */
export type Reply = {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** A body that is not JSON, sent as is. Its content type is in `headers`. */
  text?: string;
  headers?: Record<string, string>;
  cookies?: string[];
};

/** 200 with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 200 with a body that no cache may store, because it carries a token or a signed URL. */
export function okNoStore(body: unknown): Reply {
  return noStore(ok(body));
}

/** 201 with the new resource and its path. */
export function created(body: unknown, location: string): Reply {
  return { status: 201, body, headers: { location } };
}

/** 201 with a resource that no cache may store, because it carries a secret or a signed URL. */
export function createdNoStore(body: unknown, location: string): Reply {
  return noStore(created(body, location));
}

/** Forbids caches to store a reply. */
export function noStore(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, "cache-control": "no-store" } };
}

/** 202: the work continues after the response. */
export function accepted(body: unknown = {}): Reply {
  return { status: 202, body };
}

/** 204 without a body. */
export function noContent(): Reply {
  return { status: 204 };
}
