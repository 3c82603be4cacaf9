import type * as ClientModule from "../client.ts";
import type * as WebhookModule from "../webhook.ts";

type Modules = Pick<typeof ClientModule, "createClient" | "Problem"> &
  Pick<typeof WebhookModule, "verifyWebhook">;

/**
 * Uses the client against `startPlatformServer`, without anything that only one platform has, and returns the names of the cases.
 * Throws at the first difference. Tests run it in Node 20 and 24, and in a page and a worker of a browser.
 */
export async function tryPlatform(
  { createClient, Problem, verifyWebhook }: Modules,
  url: string,
): Promise<string[]> {
  const svc = createClient({ baseUrl: url });
  const png = new Uint8Array(300_000).fill(7);
  const avatar = new Blob([png], { type: "image/png" });
  const hasProgress = "XMLHttpRequest" in globalThis;

  const cases: Record<string, () => Promise<void>> = {
    async "reads JSON and sends headers"() {
      const signedIn = createClient({ baseUrl: url, token: "abc", workspaceId: "wsp_1" });
      const me = (await signedIn.get("/auth/me")) as unknown as {
        name: string;
        headers: Record<string, string>;
      };
      equal(me.name, "Zoë 🐝");
      equal([me.headers.authorization, me.headers["x-workspace-id"]], ["Bearer abc", "wsp_1"]);
    },
    async "repeats a POST with the same key after a broken connection"() {
      const result: unknown = await svc.post("/api/v1/projects", { body: { name: "Größe" } });
      const { name, keys } = result as { name: string; keys: string[] };
      equal([name, keys.length, keys[0]], ["Größe", 2, keys[1]]);
    },
    async "repeats a request after 429"() {
      equal(await svc.get("/api/v1/workspace"), { attempts: 2 });
    },
    async "iterates over pages"() {
      const ids: string[] = [];
      for await (const { id } of svc.each("/api/v1/projects")) ids.push(id);
      equal(ids, ["prj_1", "prj_2", "prj_3"]);
    },
    async "returns undefined without a body"() {
      equal(await svc.delete("/user/avatar"), undefined);
    },
    async "throws a Problem with the errors of the fields"() {
      const problem = await failure(svc.patch("/user/profile", { body: { name: "x" } }));
      if (!(problem instanceof Problem)) throw problem;
      equal([problem.status, problem.code, problem.errors[0]?.pointer], [422, "invalid_input", "/name"]);
    },
    async "throws a Problem without a response"() {
      const nowhere = createClient({ baseUrl: "http://127.0.0.1:1", retries: 0 });
      const problem = await failure(nowhere.get("/auth/me"));
      if (!(problem instanceof Problem)) throw problem;
      equal([problem.status, problem.code], [0, "no_answer"]);
    },
    async "throws a Problem after the time limit"() {
      const problem = await failure(svc.get("/auth/session", { timeoutMs: 50, retries: 0 }));
      if (!(problem instanceof Problem)) throw problem;
      equal([problem.status, problem.code], [0, "timeout"]);
    },
    async "throws the reason of an aborted signal"() {
      const controller = new AbortController();
      const failed = failure(svc.get("/auth/session", { signal: controller.signal }));
      setTimeout(() => controller.abort("stopped"), 20);
      equal(await failed, "stopped");
    },
    async "uploads a file, with progress where the platform reports it"() {
      const shares: number[] = [];
      const options = { body: { avatar }, onProgress: (share: number) => shares.push(share) };
      const result: unknown = await svc.post("/api/upload/avatar", options);
      const { type, bytes } = result as { type: string; bytes: number };
      equal([type.replace(/boundary=.*/, ""), bytes > png.length], ["multipart/form-data; ", true]);
      equal(shares.at(-1), hasProgress ? 1 : undefined);
    },
    async "cancels an upload"() {
      const controller = new AbortController();
      const options = {
        body: { avatar },
        headers: { "x-hang": "1" },
        signal: controller.signal,
        onProgress() {},
      };
      const failed = failure(svc.post("/api/upload/avatar", options));
      setTimeout(() => controller.abort("cancelled"), 20);
      equal(await failed, "cancelled");
    },
    async "verifies a webhook"() {
      const event = await verifyWebhook({
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        headers: new Headers({
          "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
          "webhook-timestamp": "1614265330",
          "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }),
        body: '{"test": 2432232314}',
        now: new Date(1614265330_000),
      });
      equal(event, { test: 2432232314 });
    },
  };

  for (const [name, run] of Object.entries(cases))
    await run().catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    });
  return Object.keys(cases);
}

function equal(got: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => new Error(`It succeeded with ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
}
