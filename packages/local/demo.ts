import { putPicture } from "@svc/core/avatar/bucket";
import { optimise } from "@svc/core/avatar/image";
import * as ObjectKey from "@svc/core/avatar/object-key";
import * as Placeholder from "@svc/core/avatar/placeholder";
import * as StoredValue from "@svc/core/avatar/stored-value";
import type { Actor } from "@svc/core/base/actor";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { scopes } from "@svc/core/base/token-scope";
import * as Password from "@svc/core/identity/password/hash";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db, type Tx } from "@svc/core/platform/db/engine";
import { transaction } from "@svc/core/platform/db/transaction";
import * as Queue from "@svc/core/platform/queue/queue";
import { generate } from "@svc/core/report/generate";
import { type Outcome, statusError } from "@svc/core/webhook/call";
import * as Deliver from "@svc/core/webhook/deliver";
import * as Delivery from "@svc/core/webhook/delivery";
import * as Endpoint from "@svc/core/webhook/endpoint";
import * as Authorization from "@svc/core/workspace/authorization";
import * as Workspace from "@svc/core/workspace/workspace";
import sharp from "sharp";
import { addSignIns } from "./demo-sign-ins.ts";
import * as DemoTime from "./demo-time.ts";

/** Password of every demo user. */
export const password = "correct horse battery staple";

const named = [
  { email: "owner@demo.test", name: "Olivia Owner", title: "Managing director", role: "owner" },
  { email: "admin@demo.test", name: "Adam Admin", title: "Operations", role: "admin" },
  { email: "member@demo.test", name: "Mia Member", title: "Designer", role: "member" },
] as const;

const others = [
  "Aiko Tanaka",
  "Bruno Costa",
  "Chiara Ricci",
  "Dmitri Volkov",
  "Élodie Martin",
  "Farid Haddad",
  "Greta Lindqvist",
  "Hugo Álvarez",
  "Ines Novak",
  "Jakub Kowalski",
  "Kwame Mensah",
  "Lina Schmidt",
  "Mateo García",
  "Nora Ødegård",
  "Oskar Weiß",
  "Priya Sharma",
  "Quentin Dubois",
  "Rosa Bianchi",
  "Sven Eriksson",
  "Thandi Nkosi",
  "Uma Patel",
  "Viktor Horváth",
];

/** Two users without a stored avatar: one has none, one has a legacy value. */
const withoutPicture = "Uma Patel";
const withLegacyPicture = { name: "Viktor Horváth", avatar: "https://avatars.example/viktor.png" };

type Person = {
  id: string;
  email: string;
  name: string;
  title: string;
  role: Authorization.Role;
  avatar: string;
  avatarPlaceholder?: string;
};

/** Returns whether the database has the demo users, only other accounts, or none. */
export async function existingAccounts(): Promise<"demo" | "other" | "none"> {
  const users = db().selectFrom("users").select("id").limit(1);
  if (await users.where("email_key", "=", named[0].email).executeTakeFirst()) return "demo";
  return (await users.executeTakeFirst()) ? "other" : "none";
}

/**
 * Creates the demo users of the README with workspaces, teams, avatars, tracked time, sign-ins, a webhook and a report. Avatars
 * go through the real pipeline before people, workspaces and tracked time commit in one transaction.
 */
export async function seed(): Promise<void> {
  const now = Clock.now();
  const staff = [...named, ...others.map(colleague)];
  const people = await Promise.all(
    staff.map((person, at) => withPicture({ ...person, id: newId("usr", now) }, at, now)),
  );
  const free = await withPicture(
    { email: "owner@free.test", name: "Fay Free", title: "Freelancer", role: "owner", id: newId("usr", now) },
    staff.length,
    now,
  );
  const passwordHash = await Password.hash(password);
  const workspaceId = await transaction(async (tx) => {
    for (const person of [...people, free]) await insertUser(tx, person, passwordHash, now);
    await createWorkspace(tx, "Free", "FREE", [free], now);
    return createWorkspace(tx, "Demo", "ENTERPRISE", people, now);
  });
  await addSignIns(
    [...people, free].map(({ id, name }) => ({ id, name })),
    now,
  );
  const [olivia] = people;
  if (!olivia) return;
  const actor = {
    userId: olivia.id,
    sessionId: "seed",
    ip: "127.0.0.1",
    userAgent: "seed",
    requestId: newId("req", now),
  };
  const membership = await Authorization.authorize(actor, workspaceId);
  await createWebhook(actor, membership, now);
  // The audit log shows the id of this report, and GET /api/v1/reports/{id} returns a link to its file.
  const request = { type: "summary", format: "pdf", includeCharts: true } as const;
  await generate(actor, membership, { ...request, groupBy: ["project", "user"] }, now);
}

const tokenName = "Demo token of the local server";

/**
 * Creates an API token of the demo workspace's owner with all scopes, which replaces that of the last start. Sends no email about
 * it. Returns undefined without the demo users.
 */
export async function createToken(): Promise<string | undefined> {
  const now = Clock.now();
  const token = ApiToken.prefix + newSecret();
  return transaction(async (tx) => {
    const owner = await tx
      .selectFrom("users")
      .innerJoin("memberships", "memberships.user_id", "users.id")
      .select(["users.id as userId", "memberships.workspace_id as workspaceId"])
      .where("users.email_key", "=", named[0].email)
      .orderBy("memberships.joined_at")
      .executeTakeFirst();
    if (!owner) return undefined;
    await tx
      .deleteFrom("api_tokens")
      .where("user_id", "=", owner.userId)
      .where("name", "=", tokenName)
      .execute();
    const values = {
      id: newId("pat", now),
      token_hash: hashSecret(token),
      user_id: owner.userId,
      workspace_id: owner.workspaceId,
      name: tokenName,
      scopes: JSON.stringify(scopes),
      created_at: now,
      expires_at: new Date(now.getTime() + ApiToken.maxDays * 86_400_000),
    };
    await tx.insertInto("api_tokens").values(values).execute();
    return token;
  });
}

/**
 * Creates a webhook with three deliveries: delivered at once, failed after four attempts, and delivered at the second attempt.
 * Sends no request: the outcomes are made up, and the host name can never resolve (RFC 6761).
 */
async function createWebhook(actor: Actor, membership: Authorization.Membership, now: Date): Promise<void> {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const { id } = await Endpoint.register(
    actor,
    membership,
    { url: "https://hooks.demo.invalid/svc", events: ["*"], description: "Team chat", headers: {} },
    hoursAgo(30),
  );
  const outcomeOf = (status: number, body: string): Outcome => ({
    durationMs: 83,
    status,
    headers: { "content-type": "text/plain", "content-length": String(body.length) },
    body,
    error: statusError(status),
  });
  const history = [
    { event: "project.archived", at: hoursAgo(29), outcomes: [outcomeOf(200, "ok")] },
    {
      event: "currency.changed",
      at: hoursAgo(8),
      outcomes: Array(4).fill(outcomeOf(500, "database is down")),
    },
    {
      event: "budget.forecast_warning",
      at: hoursAgo(2),
      outcomes: [outcomeOf(502, "bad gateway"), outcomeOf(204, "")],
    },
  ] as const;
  // Discards wake-ups, since the outcomes are recorded below.
  Queue.connect(async () => {});
  for (const { event, at, outcomes } of history) {
    const { id: deliveryId } = await Delivery.sendTest(actor, membership, id, { event }, at);
    let due = at;
    for (const outcome of outcomes) {
      const [attempt] = (await Deliver.claim(id, due)).attempts;
      if (!attempt) throw new Error("The demo delivery is not due.");
      if (outcome.error === null) await Deliver.recordSuccess(attempt, outcome, due);
      else await Deliver.recordFailure(attempt, outcome, Math.random, due);
      due = new Date((await Delivery.get(membership, id, deliveryId)).nextAttemptAt ?? due);
    }
  }
  Queue.connect(undefined);
}

function colleague(name: string, at: number) {
  const email = `${name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replace(/[^a-z ]/g, "")
    .replaceAll(" ", ".")}@demo.test`;
  const role: Authorization.Role = at < 2 ? "manager" : "member";
  return { email, name, title: at < 2 ? "Team lead" : "Engineer", role };
}

async function withPicture(
  person: Omit<Person, "avatar" | "avatarPlaceholder">,
  at: number,
  now: Date,
): Promise<Person> {
  if (person.name === withoutPicture) return { ...person, avatar: "" };
  if (person.name === withLegacyPicture.name) return { ...person, avatar: withLegacyPicture.avatar };
  const { buffer, small } = await optimise(await portrait(at));
  const key = ObjectKey.build({ userId: person.id, unixTimestampMs: now.getTime() });
  await putPicture(ObjectKey.small(key), small.buffer);
  await putPicture(key, buffer);
  const avatarPlaceholder = Placeholder.toStored(key, small.thumbHash);
  return { ...person, avatar: StoredValue.fromKey(key), avatarPlaceholder };
}

/** Draws a different face for each number, as a PNG that the pipeline has to crop and convert. */
function portrait(at: number): Promise<Buffer> {
  const hue = (at * 47) % 360;
  const skin = `hsl(${20 + ((at * 7) % 20)} ${40 + ((at * 13) % 30)}% ${40 + ((at * 17) % 40)}%)`;
  const hair = `hsl(${(at * 31) % 60} 40% ${12 + ((at * 11) % 40)}%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="720" viewBox="0 0 64 72">
    <rect width="64" height="72" fill="hsl(${hue} 60% 82%)"/>
    <path d="M8 72c0-16 10-22 24-22s24 6 24 22" fill="hsl(${(hue + 180) % 360} 45% 45%)"/>
    <circle cx="32" cy="32" r="${19 + (at % 3)}" fill="${hair}"/>
    <ellipse cx="32" cy="35" rx="14" ry="${16 + (at % 2)}" fill="${skin}"/>
    <circle cx="26" cy="33" r="1.8"/><circle cx="38" cy="33" r="1.8"/>
    <path d="M26 42q6 ${2 + (at % 5)} 12 0" fill="none" stroke="#000" stroke-width="1.4" stroke-linecap="round"/>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

async function insertUser(
  tx: Tx,
  { id, email, name, title, avatar, avatarPlaceholder }: Person,
  passwordHash: string,
  now: Date,
) {
  const times = { email_verified_at: now, created_at: now, updated_at: now };
  await tx
    .insertInto("users")
    .values({
      id,
      email,
      email_key: email,
      name,
      title,
      avatar,
      avatar_placeholder: avatarPlaceholder ?? null,
      last_avatar_ms: now.getTime(),
      password_hash: passwordHash,
      ...times,
    })
    .execute();
}

/**
 * Creates a workspace that the first of these users owns, with all of them in its first team, and their tracked time. Returns its
 * id.
 */
async function createWorkspace(
  tx: Tx,
  name: string,
  plan: Authorization.Plan,
  people: readonly Person[],
  now: Date,
): Promise<string> {
  const [founder, ...members] = people;
  if (!founder) throw new Error("A workspace needs an owner.");
  const requestId = newId("req", now);
  const workspace = await Workspace.createInTransaction(
    tx,
    { job: "seed", requestId },
    founder.id,
    name,
    now,
  );
  await tx.updateTable("workspaces").set({ plan }).where("id", "=", workspace.id).execute();
  const team = await tx
    .selectFrom("teams")
    .select("id")
    .where("workspace_id", "=", workspace.id)
    .executeTakeFirstOrThrow();
  for (const { id, role } of members) {
    await tx
      .insertInto("memberships")
      .values({ workspace_id: workspace.id, user_id: id, role, status: "active", joined_at: now })
      .execute();
    await tx.insertInto("team_members").values({ team_id: team.id, user_id: id, joined_at: now }).execute();
  }
  await DemoTime.track(tx, { id: workspace.id, plan }, people, now);
  return workspace.id;
}
