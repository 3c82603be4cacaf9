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

/** 201 with the new resource and its path. */
export function created(body: unknown, location: string): Reply {
  return { status: 201, body, headers: { location } };
}

/** 202: the work continues after the response. */
export function accepted(body: unknown = {}): Reply {
  return { status: 202, body };
}

/** 204 without a body. */
export function noContent(): Reply {
  return { status: 204 };
}
