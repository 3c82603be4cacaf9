import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { newId } from "../base/id.ts";
import { line } from "../base/text.ts";
import { webhookEventTypes } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import * as Sealed from "../platform/crypto/sealed.ts";
import { webhookHeadersContext, webhookSecretContext } from "../platform/crypto/sealed-columns.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import type { WebhookEndpoints } from "../platform/db/schema.ts";
import { transaction, violates } from "../platform/db/transaction.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Address from "./address.ts";
import * as Headers from "./headers.ts";
import { newSecret, overlapHours } from "./sign.ts";

/** How many a workspace may have. */
export const maxEndpoints = 20;

/** So many deliveries in a row that failed for good disable an endpoint. */
export const failuresUntilDisabled = 20;

/** Why an endpoint is disabled: by hand, because it answered 410, or because its last deliveries all failed. */
export const DisabledReason = z.enum(["manual", "gone", "failing"]);
export type DisabledReason = z.infer<typeof DisabledReason>;

export const View = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum([...webhookEventTypes, "*"])),
  description: z.string(),
  /** The values of those that look secret are masked. */
  headers: z.record(z.string(), z.string()),
  enabled: z.boolean(),
  disabledReason: z.nullable(DisabledReason),
  disabledAt: z.nullable(z.iso.datetime()),
  /** After a rotation: until when the secret before it signs too. */
  previousSecretUntil: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

/** With the secret, which is shown when it is made and never again. */
export const WithSecret = z.extend(View, { secret: z.string() });
export type WithSecret = z.infer<typeof WithSecret>;

const Url = z.string().check(
  z.maxLength(2048),
  z.refine((href) => URL.canParse(href), "Not a URL."),
);
const Events = z.pipe(
  z.array(z.enum([...webhookEventTypes, "*"])).check(z.minLength(1), z.maxLength(10)),
  z.transform((events) => (events.includes("*") ? ["*"] : [...new Set(events)])),
);
const Description = line(0, 500);

export const Create = z.object({
  url: Url,
  events: Events,
  description: z._default(Description, ""),
  headers: z._default(Headers.Headers, {}),
});
export type Create = z.infer<typeof Create>;

export const Update = z.partial(
  z.object({
    url: Url,
    events: Events,
    description: Description,
    headers: Headers.Headers,
    enabled: z.boolean(),
  }),
);
export type Update = z.infer<typeof Update>;

type Row = Selectable<WebhookEndpoints>;

/** The endpoints of a workspace, oldest first. */
export async function list(membership: Membership): Promise<View[]> {
  const rows = await db()
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("workspace_id", "=", membership.workspaceId)
    .orderBy("id")
    .execute();
  return rows.map(view);
}

/** One endpoint. Throws 404 `webhook_not_found`. */
export async function get(membership: Membership, id: string): Promise<View> {
  return view(await fromId(db(), membership, id));
}

/**
 * Register an endpoint; its secret is in the answer and nowhere else. Throws 422 `url_not_allowed` and 409
 * `webhook_limit_reached`.
 */
export async function create(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date = Clock.now(),
): Promise<WithSecret> {
  await Address.authorize(input.url);
  return register(actor, membership, input, now);
}

/** The part of `create` that asks no name server. Throws 409 `webhook_limit_reached`. */
export async function register(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date,
): Promise<WithSecret> {
  const id = newId("whk", now);
  const secret = newSecret();
  const values = {
    id,
    workspace_id: membership.workspaceId,
    url: new URL(input.url).href,
    events: JSON.stringify(input.events),
    description: input.description,
    headers: sealedHeaders(id, input.headers),
    secret: sealedSecret(id, secret),
    enabled: true,
    failing_in_row: 0,
    created_at: now,
    updated_at: now,
  };
  await onFreeSlot((slot) =>
    transaction(async (tx) => {
      await tx
        .insertInto("webhook_endpoints")
        .values({ ...values, slot: await slot(tx, membership.workspaceId) })
        .execute();
      const after = { url: values.url, events: input.events };
      await record(
        tx,
        actor,
        membership,
        "webhook.created",
        { id, url: values.url },
        now,
        differences({}, after),
      );
    }),
  );
  return { ...(await get(membership, id)), secret };
}

/**
 * Change an endpoint; enabling it forgets that it failed. A header whose value is sent back masked stays as it was. Throws 404
 * `webhook_not_found` and 422 `url_not_allowed`.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  id: string,
  input: Update,
  now: Date = Clock.now(),
): Promise<View> {
  await fromId(db(), membership, id);
  if (input.url !== undefined) await Address.authorize(input.url);
  await transaction(async (tx) => {
    const before = await fromId(tx, membership, id);
    const headers = input.headers && Headers.updated(headersOf(before), input.headers);
    const after = {
      url: input.url === undefined ? before.url : new URL(input.url).href,
      events: input.events ?? before.events,
      description: input.description ?? before.description,
      enabled: input.enabled ?? before.enabled,
    };
    const { url, events, description, enabled } = before;
    const changes = differences({ url, events, description, enabled }, after);
    const names = (of: Headers.Headers) => Object.keys(of).sort();
    if (headers && JSON.stringify(headers) !== JSON.stringify(headersOf(before)))
      changes.headers = { before: names(headersOf(before)), after: names(headers) };
    if (Object.keys(changes).length === 0) return;
    await tx
      .updateTable("webhook_endpoints")
      .set({
        ...after,
        events: JSON.stringify(after.events),
        ...(headers && { headers: sealedHeaders(id, headers) }),
        ...(changes.enabled && switched(after.enabled, now)),
        updated_at: now,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, actor, membership, "webhook.updated", { id, url: after.url }, now, changes);
  });
  return get(membership, id);
}

/** Remove an endpoint: nothing is sent to it any more. Throws 404 `webhook_not_found`. */
export async function remove(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const { url } = await fromId(tx, membership, id);
    await tx.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
    await record(tx, actor, membership, "webhook.deleted", { id, url }, now);
  });
}

/**
 * A new secret, in the answer and nowhere else. For 24 hours the one before it signs too; one before that is over at once.
 * Throws 404 `webhook_not_found`.
 */
export async function rotateSecret(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<WithSecret> {
  const secret = newSecret();
  await transaction(async (tx) => {
    const { url, secret: before } = await fromId(tx, membership, id);
    await tx
      .updateTable("webhook_endpoints")
      .set({
        secret: sealedSecret(id, secret),
        previous_secret: before,
        previous_secret_until: new Date(now.getTime() + overlapHours * 3_600_000),
        updated_at: now,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, actor, membership, "webhook.secret_rotated", { id, url }, now);
  });
  return { ...(await get(membership, id)), secret };
}

/** An endpoint of this workspace. Throws 404 `webhook_not_found`, alike for one of another workspace. */
export async function fromId(reader: Reader, membership: Membership, id: string): Promise<Row> {
  const row = await reader
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId)
    .executeTakeFirst();
  if (!row) throw new Fault("missing", "webhook_not_found", "There is no such webhook in this workspace.");
  return row;
}

/** An enabled endpoint of this workspace. Throws 404 `webhook_not_found` and 409 `webhook_disabled`. */
export async function enabledFromId(tx: Tx, membership: Membership, id: string): Promise<Row> {
  const row = await fromId(tx, membership, id);
  if (!row.enabled)
    throw new Fault("conflict", "webhook_disabled", "This webhook is disabled. Enable it, then try again.");
  return row;
}

/** The secrets that sign at this time, newest first. */
export function secrets(
  row: Pick<Row, "id" | "secret" | "previous_secret" | "previous_secret_until">,
  now: Date,
): string[] {
  const overlap = row.previous_secret_until && row.previous_secret_until > now ? [row.previous_secret] : [];
  return [row.secret, ...overlap]
    .filter((sealed) => sealed !== null)
    .map((sealed) => Sealed.open(sealed, webhookSecretContext(row.id)));
}

/** The caller's own headers, in full. */
export function headersOf(row: Pick<Row, "id" | "headers">): Headers.Headers {
  return JSON.parse(Sealed.open(row.headers, webhookHeadersContext(row.id)));
}

/** Take an endpoint out of service, and have its admins told. It stays as it is when somebody else has done so. */
export async function disable(
  tx: Tx,
  { id, workspaceId, url }: { id: string; workspaceId: string; url: string },
  reason: DisabledReason,
  requestId: string,
  now: Date,
): Promise<void> {
  const done = await tx
    .updateTable("webhook_endpoints")
    .set({ enabled: false, disabled_reason: reason, disabled_at: now, notice_due_at: now, updated_at: now })
    .where("id", "=", id)
    .where("enabled", "=", true)
    .returning("id")
    .executeTakeFirst();
  if (!done) return;
  const changes = {
    enabled: { before: true, after: false },
    disabledReason: { before: null, after: reason },
  };
  await Event.record(
    tx,
    { job: "deliver-webhooks", requestId },
    { action: "webhook.disabled", target: { type: "webhook", id, name: url }, workspaceId, changes },
    now,
  );
}

/** Two registrations at once may look for the same free slot: the index decides, and the loser looks again. */
async function onFreeSlot(insert: (slot: typeof freeSlot) => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await insert(freeSlot);
    } catch (error) {
      if (!violates(error, "webhook_endpoints_slot")) throw error;
    }
}

async function freeSlot(tx: Tx, workspaceId: string): Promise<number> {
  const rows = await tx
    .selectFrom("webhook_endpoints")
    .select("slot")
    .where("workspace_id", "=", workspaceId)
    .execute();
  const taken = new Set(rows.map(({ slot }) => slot));
  for (let slot = 0; slot < maxEndpoints; slot++) if (!taken.has(slot)) return slot;
  throw new Fault(
    "conflict",
    "webhook_limit_reached",
    `A workspace has at most ${maxEndpoints} webhooks. Remove one first.`,
  );
}

function switched(enabled: boolean, now: Date) {
  return enabled
    ? { disabled_reason: null, disabled_at: null, failing_in_row: 0, notice_due_at: null }
    : { disabled_reason: "manual", disabled_at: now };
}

type Changes = Record<string, { before: unknown; after: unknown }>;

function differences(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => [name, { before: before[name] ?? null, after: value }] as const)
      .filter(([, { before, after }]) => JSON.stringify(before) !== JSON.stringify(after)),
  );
}

async function record(
  tx: Tx,
  actor: Actor,
  { workspaceId }: Membership,
  action: Event.Action,
  { id, url }: { id: string; url: string },
  now: Date,
  changes: Changes = {},
): Promise<void> {
  const target = { type: "webhook", id, name: url } as const;
  await Event.record(tx, actor, { action, target, workspaceId, changes }, now);
}

function view(row: Row): View {
  const overlap = row.previous_secret !== null && (row.previous_secret_until ?? new Date(0)) > Clock.now();
  return {
    id: row.id,
    url: row.url,
    events: row.events as View["events"],
    description: row.description,
    headers: Headers.shown(headersOf(row)),
    enabled: row.enabled,
    disabledReason: row.disabled_reason as DisabledReason | null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    previousSecretUntil: (overlap && row.previous_secret_until?.toISOString()) || null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function sealedSecret(id: string, secret: string): string {
  return Sealed.seal(secret, webhookSecretContext(id));
}

function sealedHeaders(id: string, headers: Headers.Headers): string {
  return Sealed.seal(JSON.stringify(headers), webhookHeadersContext(id));
}
