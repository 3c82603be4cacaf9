import type { IncomingMessage, ServerResponse } from "node:http";
import * as Resolve from "@svc/core/avatar/resolve";
import { db } from "@svc/core/platform/db/engine";
import { log } from "@svc/core/platform/log/log";
import type { Role } from "@svc/core/workspace/authorization";
import type { DemoPeople } from "@svc/web/demo-people";

/** The path of the demo people. No deployed stage serves it, and the client asks for it on loopback host names only. */
const path = "/demo-people.json";

/** The people that the sign-in page offers: one of each role. */
const emails = ["owner@demo.test", "admin@demo.test", "aiko.tanaka@demo.test", "member@demo.test"];

/** Returns whether a request asks for the demo people. */
export function asksForDemoPeople({ method, url }: IncomingMessage): boolean {
  return method === "GET" && url === path;
}

/** Answers with the people that the sign-in page offers: those of the demo data, or no one without demo data. */
export function answerDemoPeople(response: ServerResponse, hasDemoData: boolean): void {
  const answer = hasDemoData ? readPeople() : Promise.resolve(noPeople);
  answer.then(
    (people) =>
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "no-store" })
        .end(JSON.stringify(people)),
    (error) => {
      log.error("demo people failed", { error });
      response.destroy();
    },
  );
}

const noPeople: DemoPeople = { password: "", people: [] };

async function readPeople(): Promise<DemoPeople> {
  const rows = await db()
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select(["users.id", "users.email", "users.name", "memberships.role", ...Resolve.columns])
    .where("users.email_key", "in", emails)
    .where("memberships.status", "=", "active")
    .execute();
  const pictures = Resolve.resolveAll(rows);
  const found = rows.map(({ id, email, name, role }, at) => ({
    id,
    email,
    name,
    role: role as Role,
    picture: pictures[at] ?? Resolve.none,
  }));
  const { password } = await import("./demo.ts");
  // A person can have joined other workspaces since. The first membership counts.
  const people = emails.flatMap((email) => found.find((one) => one.email === email) ?? []);
  return { password, people };
}
