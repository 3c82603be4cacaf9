import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gateway } from "../gateway/gateway.ts";
import { type Handler, lambda, surviveUncaughtErrors } from "../lambda.ts";
import { realTimer } from "../timer.ts";

/** A gateway whose functions cause errors that nothing catches. Sends the parent its port. */
const waiting = Promise.withResolvers<string>();
const never = new Promise(() => {});
const handlers: Record<string, Handler> = {
  wait: () => waiting.promise,
  release: () => waiting.resolve("released"),
  emit: () => {
    process.nextTick(() => new EventEmitter().emit("error", new Error("an event without a listener")));
    return never;
  },
  throw: () => {
    setImmediate(() => {
      throw new Error("an exception in a callback");
    });
    return never;
  },
  reject: () => {
    void Promise.reject(new Error("a rejection without a handler"));
    return never;
  },
};
const routes = Object.fromEntries(Object.keys(handlers).map((name) => [`GET /${name}`, { handler: name }]));

surviveUncaughtErrors();
const api = gateway(
  routes,
  lambda(realTimer, async (name) => handlers[name] as Handler),
);
const server = createServer(api.handle).listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.((server.address() as AddressInfo).port);
