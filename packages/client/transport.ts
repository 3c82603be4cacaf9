/** The part of XMLHttpRequest that is used here. Node has none, and its types are those of browsers. */
type Xhr = {
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  readonly status: number;
  readonly responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body?: string | FormData): void;
  abort(): void;
};

const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };

/** Whether this platform reports the progress of uploads: pages and web workers do, service workers and Node do not. */
export const hasProgress = XMLHttpRequest !== undefined;

type Outgoing = {
  method: string;
  headers: Record<string, string>;
  body?: string | FormData;
  signal: AbortSignal;
};

/**
 * Sends a request with XMLHttpRequest, because `fetch` reports no upload progress. `onProgress` gets the share that was sent, 0
 * to 1. Rejects with the signal's reason when aborted, and with `TypeError` when there is no response, as `fetch` does.
 */
export function sendWithProgress(
  url: string,
  { method, headers, body, signal }: Outgoing,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new (XMLHttpRequest as new () => Xhr)();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new TypeError("There was no response."));
    request.onload = () => resolve(responseOf(request));
    signal.addEventListener("abort", () => {
      request.abort();
      reject(signal.reason);
    });
    request.send(body);
  });
}

function responseOf(request: Xhr): Response {
  const lines = request.getAllResponseHeaders().split("\r\n").filter(Boolean);
  const headers = lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]);
  // These statuses have no body, and Response accepts none for them.
  const body = [204, 205, 304].includes(request.status) ? null : request.responseText;
  return new Response(body, { status: request.status, headers });
}
