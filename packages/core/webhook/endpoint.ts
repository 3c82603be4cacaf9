import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { Id, newId } from "../base/id.ts";
import { type IfMatch, requireMatch } from "../base/if-match.ts";
import { Instant } from "../base/instant.ts";
import { singleLine } from "../base/text.ts";
import { webhookEventTypes } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import * as Sealed from "../platform/crypto/sealed.ts";
import { webhookHeadersContext, webhookSecretContext } from "../platform/crypto/sealed-columns.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import type { WebhookEndpoints } from "../platform/db/schema.ts";
import { transaction, violates } from "../platform/db/transaction.ts";
import { changed, executeUnlessChanged, versionOf } from "../platform/db/version.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Headers from "./headers.ts";
import { newSecret, overlapHours } from "./sign.ts";
import * as UrlPolicy from "./url-policy.ts";

/** Maximum number of webhooks in a workspace. */
export const maxEndpoints = 20;

/** Number of consecutive failed deliveries that disables an endpoint. */
export const failuresUntilDisabled = 20;

/** Why an endpoint is disabled: by a member (`manual`), after a 410 (`gone`), or after too many failed deliveries (`failing`). */
export const DisabledReason = z.enum(["manual", "gone", "failing"]);
export type DisabledReason = z.infer<typeof DisabledReason>;

export const View = z.object({
  id: Id,
  url: z.string(),
  events: z.array(z.enum([...webhookEventTypes, "*"])),
  description: z.string(),
  /** Names of the custom headers. Their values are never returned: each is `[masked]`. */
  headers: z.record(z.string(), z.string()),
  enabled: z.boolean(),
  disabledReason: z.nullable(DisabledReason),
  disabledAt: z.nullable(Instant),
  /** After a rotation: the time until which the previous secret also signs. */
  previousSecretUntil: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  /** The ETag without its quotes. */
  version: z.string(),
});
export type View = z.infer<typeof View>;

/** An endpoint with its secret, which is shown only when it is created or rotated. */
export const WithSecret = z.extend(View, { secret: z.string() });
export type WithSecret = z.infer<typeof WithSecret>;

/** An endpoint after a change, with the names of the custom headers that the change of its URL has removed. */
export const Updated = z.extend(View, { droppedHeaders: z.array(z.string()) });
export type Updated = z.infer<typeof Updated>;

const Url = z.string().check(
  z.maxLength(2048),
  z.refine((href) => URL.canParse(href), "URL must be an absolute URL such as https://example.com/webhooks."),
  z.meta({ format: "uri" }),
);
const Events = z.pipe(
  z.array(z.enum([...webhookEventTypes, "*"])).check(z.minLength(1), z.maxLength(10)),
  z.transform((events) => (events.includes("*") ? ["*"] : [...new Set(events)])),
);
const Description = singleLine(0, 500);

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
    headers: Headers.Changes,
    enabled: z.boolean(),
  }),
);
export type Update = z.infer<typeof Update>;

type EndpointRow = Selectable<WebhookEndpoints>;

/** Lists the endpoints of a workspace, oldest first. */
export async function list(membership: Membership): Promise<View[]> {
  const rows = await db()
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("workspace_id", "=", membership.workspaceId)
    .orderBy("id")
    .execute();
  return rows.map(view);
}

/** Returns one endpoint. Throws `missing` `webhook_not_found`. */
export async function get(membership: Membership, id: string): Promise<View> {
  return view(await fromId(db(), membership, id));
}

/**
 * Registers an endpoint. Only the returned object contains the secret. Throws `invalid` `url_not_allowed` and `conflict`
 * `webhook_limit_reached`.
 */
export async function create(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date = Clock.now(),
): Promise<WithSecret> {
  await UrlPolicy.assertAllowed(input.url);
  return register(actor, membership, input, now);
}

/** Registers an endpoint without checking its URL. Throws `conflict` `webhook_limit_reached`. */
export async function register(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date,
): Promise<WithSecret> {
  const id = newId("whk", now);
  const url = new URL(input.url).href;
  const secret = newSecret();
  const values = {
    id,
    workspace_id: membership.workspaceId,
    url,
    events: JSON.stringify(input.events),
    description: input.description,
    headers: sealedHeaders(id, input.headers),
    secret: sealedSecret(id, secret),
    enabled: true,
    failing_in_row: 0,
    created_at: now,
    ...changed(now),
  };
  await retryOnSlotConflict(() =>
    transaction(async (tx) => {
      const slot = await freeSlot(tx, membership.workspaceId);
      await tx
        .insertInto("webhook_endpoints")
        .values({ ...values, slot })
        .execute();
      const { events, description } = input;
      const changes = Event.changes({}, { url, events, description, enabled: true });
      await record(tx, actor, membership, "webhook.created", { id, url }, now, changes);
    }),
  );
  return { ...(await get(membership, id)), secret };
}

/**
 * Changes an endpoint. Enabling it resets its count of failures. A URL of another origin removes the custom headers whose value
 * `input` does not contain, so that a stored value is sent only to the origin it was entered for. Throws `missing`
 * `webhook_not_found`, `stale` `changed_meanwhile`, and `invalid` `url_not_allowed` and `invalid_input`.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  id: string,
  input: Update,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<Updated> {
  const { url } = await fromId(db(), membership, id);
  if (input.url !== undefined && input.url !== url) await UrlPolicy.assertAllowed(input.url);
  const droppedHeaders = await transaction(async (tx) => {
    const before = await fetchToChange(tx, membership, id, ifMatch);
    const after = {
      url: input.url === undefined ? before.url : new URL(input.url).href,
      events: input.events ?? before.events,
      description: input.description ?? before.description,
      enabled: input.enabled ?? before.enabled,
    };
    const { stored, headers, dropped } = changedHeaders(before, after.url, input.headers);
    const { url, events, description, enabled } = before;
    const changes = Event.changes({ url, events, description, enabled }, after);
    const headersChanged = JSON.stringify(headers) !== JSON.stringify(stored);
    // The audit log shows only the names of headers: their values may be secret.
    if (headersChanged) changes.headers = { before: sortedNames(stored), after: sortedNames(headers) };
    if (Object.keys(changes).length === 0) return [];
    const written = tx
      .updateTable("webhook_endpoints")
      .set({
        ...after,
        events: JSON.stringify(after.events),
        ...(headersChanged && { headers: sealedHeaders(id, headers) }),
        ...(changes.enabled && enabledColumns(after.enabled, now)),
        ...changed(now),
      })
      .where("id", "=", id)
      .where("version", "is not distinct from", before.version)
      .returning("id");
    await executeUnlessChanged(written);
    await record(tx, actor, membership, "webhook.updated", { id, url: after.url }, now, changes);
    return dropped;
  });
  return { ...(await get(membership, id)), droppedHeaders };
}

/** Returns the custom headers before and after a change, and the names of those that another origin of the URL removes. */
function changedHeaders(before: EndpointRow, url: string, changes: Headers.Changes = {}) {
  const stored = customHeaders(before);
  const applied = Headers.apply(stored, changes);
  if (new URL(url).origin === new URL(before.url).origin) return { stored, headers: applied, dropped: [] };
  const headers = Headers.newValues(applied, changes);
  return { stored, headers, dropped: sortedNames(applied).filter((name) => !Object.hasOwn(headers, name)) };
}

/** Deletes an endpoint. Its pending deliveries fail. Throws `missing` `webhook_not_found` and `stale` `changed_meanwhile`. */
export async function remove(
  actor: Actor,
  membership: Membership,
  id: string,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const { url, version } = await fetchToChange(tx, membership, id, ifMatch);
    const deleted = tx
      .deleteFrom("webhook_endpoints")
      .where("id", "=", id)
      .where("version", "is not distinct from", version)
      .returning("id");
    await executeUnlessChanged(deleted);
    await record(tx, actor, membership, "webhook.deleted", { id, url }, now);
  });
}

/**
 * Replaces an endpoint's secret. Only the returned object contains the new one. The previous secret also signs for
 * `overlapHours`; an even older secret stops signing immediately. Throws `missing` `webhook_not_found`.
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
        ...changed(now),
      })
      .where("id", "=", id)
      .execute();
    await record(tx, actor, membership, "webhook.secret_rotated", { id, url }, now);
  });
  return { ...(await get(membership, id)), secret };
}

/** Loads an endpoint for a change. Throws `missing` `webhook_not_found`, and `stale` for another version than `ifMatch`. */
async function fetchToChange(
  tx: Tx,
  membership: Membership,
  id: string,
  ifMatch: IfMatch | undefined,
): Promise<EndpointRow> {
  const row = await fromId(tx, membership, id);
  await requireMatch(ifMatch, versionOfEndpoint(row), () => view(row));
  return row;
}

/** Loads an endpoint of the workspace. Throws `missing` `webhook_not_found`, also for an endpoint of another workspace. */
export async function fromId(reader: Reader, membership: Membership, id: string): Promise<EndpointRow> {
  const row = await reader
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId)
    .executeTakeFirst();
  if (!row) throw new Fault("missing", "webhook_not_found", "This workspace has no webhook with this id.");
  return row;
}

/** Loads an enabled endpoint of the workspace. Throws `missing` `webhook_not_found` and `conflict` `webhook_disabled`. */
export async function enabledFromId(tx: Tx, membership: Membership, id: string): Promise<EndpointRow> {
  const row = await fromId(tx, membership, id);
  if (!row.enabled)
    throw new Fault("conflict", "webhook_disabled", "This webhook is disabled. Enable it, then try again.");
  return row;
}

/** Returns the secrets that sign at this time, newest first. */
export function signingSecrets(
  row: Pick<EndpointRow, "id" | "secret" | "previous_secret" | "previous_secret_until">,
  now: Date,
): string[] {
  const overlap = row.previous_secret_until && row.previous_secret_until > now ? [row.previous_secret] : [];
  return [row.secret, ...overlap]
    .filter((sealed) => sealed !== null)
    .map((sealed) => Sealed.open(sealed, webhookSecretContext(row.id)));
}

/** Returns the endpoint's custom headers with their values. */
export function customHeaders(row: Pick<EndpointRow, "id" | "headers">): Headers.Headers {
  return JSON.parse(Sealed.open(row.headers, webhookHeadersContext(row.id)));
}

/** Disables an endpoint and schedules a notice to its admins. Does nothing if the endpoint is already disabled. */
export async function disable(
  tx: Tx,
  { id, workspaceId, url }: { id: string; workspaceId: string; url: string },
  reason: DisabledReason,
  requestId: string,
  now: Date,
): Promise<void> {
  const disabled = await tx
    .updateTable("webhook_endpoints")
    .set({ enabled: false, disabled_reason: reason, disabled_at: now, notice_due_at: now, ...changed(now) })
    .where("id", "=", id)
    .where("enabled", "=", true)
    .returning("id")
    .executeTakeFirst();
  if (!disabled) return;
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

/** Retries a registration when a concurrent one has used the same slot, which the unique index detects. */
async function retryOnSlotConflict(register: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await register();
    } catch (error) {
      if (!violates(error, "webhook_endpoints_slot")) throw error;
    }
}

/** Returns the lowest unused slot. The slots limit how many endpoints a workspace can have. */
async function freeSlot(tx: Tx, workspaceId: string): Promise<number> {
  const rows = await tx
    .selectFrom("webhook_endpoints")
    .select("slot")
    .where("workspace_id", "=", workspaceId)
    .execute();
  const used = new Set(rows.map(({ slot }) => slot));
  for (let slot = 0; slot < maxEndpoints; slot++) if (!used.has(slot)) return slot;
  throw new Fault(
    "conflict",
    "webhook_limit_reached",
    `A workspace can have at most ${maxEndpoints} webhooks. Delete one first.`,
  );
}

function enabledColumns(enabled: boolean, now: Date) {
  return enabled
    ? { disabled_reason: null, disabled_at: null, failing_in_row: 0, notice_due_at: null }
    : { disabled_reason: "manual", disabled_at: now };
}

function sortedNames(headers: Headers.Headers): string[] {
  return Object.keys(headers).sort();
}

/** Records an event about an endpoint. */
export async function record(
  tx: Tx,
  actor: Actor,
  { workspaceId }: Membership,
  action: Event.InternalAction,
  { id, url }: { id: string; url: string },
  now: Date,
  changes: Event.Changes = {},
): Promise<void> {
  const target = { type: "webhook", id, name: url } as const;
  await Event.record(tx, actor, { action, target, workspaceId, changes }, now);
}

function view(row: EndpointRow): View {
  return {
    id: row.id,
    url: row.url,
    events: row.events as View["events"],
    description: row.description,
    headers: Headers.masked(customHeaders(row)),
    enabled: row.enabled,
    disabledReason: row.disabled_reason as DisabledReason | null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    previousSecretUntil: hasTwoSecrets(row) ? row.previous_secret_until.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: versionOfEndpoint(row),
  };
}

/** The version depends on the clock too, because the previous secret stops signing without a write. */
function versionOfEndpoint(row: EndpointRow): string {
  return versionOf(row, ...(hasTwoSecrets(row) ? ["two-secrets"] : []));
}

function hasTwoSecrets(row: EndpointRow): row is EndpointRow & { previous_secret_until: Date } {
  return row.previous_secret !== null && (row.previous_secret_until ?? new Date(0)) > Clock.now();
}

function sealedSecret(id: string, secret: string): string {
  return Sealed.seal(secret, webhookSecretContext(id));
}

function sealedHeaders(id: string, headers: Headers.Headers): string {
  return Sealed.seal(JSON.stringify(headers), webhookHeadersContext(id));
}
