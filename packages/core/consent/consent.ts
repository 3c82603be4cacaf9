import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { Id, newId } from "../base/id.ts";
import { Instant } from "../base/instant.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import type { Consents } from "../platform/db/schema.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Policy from "./policy.ts";

const CategoryId = z.enum(Policy.categoryIds);

const Item = z.object({ name: z.string(), purpose: z.string(), duration: z.string() });

export const PolicyView = z.object({
  policyVersion: z.string(),
  choiceDays: z.int(),
  categories: z.array(
    z.object({
      id: CategoryId,
      locked: z.boolean(),
      purpose: z.string(),
      cookies: z.array(Item),
      /** Data that the web client stores in the browser otherwise, such as in Cache Storage. */
      storage: z.array(Item),
    }),
  ),
  /** Whether the browser sent `Sec-GPC: 1`, which rejects analytics and marketing. */
  globalPrivacyControl: z.boolean(),
});
export type PolicyView = z.infer<typeof PolicyView>;

export const actions = ["accept_all", "reject_all", "custom"] as const;

export const Choice = z.object({
  /** The version of the policy that the visitor was shown. */
  policyVersion: z.string().check(z.minLength(1), z.maxLength(40)),
  categories: z.array(CategoryId).check(z.maxLength(20)),
  action: z.enum(actions),
});
export type Choice = z.infer<typeof Choice>;

/** Proof of a consent choice (GDPR, article 7(1)). `categories` are the allowed ones, including the locked ones. */
export const View = z.object({
  id: Id,
  policyVersion: z.string(),
  categories: z.array(CategoryId),
  action: z.enum(actions),
  at: Instant,
  expiresAt: Instant,
});
export type View = z.infer<typeof View>;

/** A choice with everything that is stored about it. */
export const Stored = z.extend(View, { globalPrivacyControl: z.boolean(), userAgent: z.string() });
export type Stored = z.infer<typeof Stored>;

/** Largest number of choices in a list. */
export const maxListed = 200;

/** Returns the current cookie policy. */
export function policy(globalPrivacyControl: boolean): PolicyView {
  const { policyVersion, choiceDays, categories } = Policy;
  return {
    policyVersion,
    choiceDays,
    categories: structuredClone(categories) as never,
    globalPrivacyControl,
  };
}

/**
 * Records a consent choice of a user or an anonymous visitor. Choices are never deleted; only their user and browser are cleared
 * when the account is deleted. Categories that Global Privacy Control rejects are not allowed, regardless of the choice. Throws
 * `conflict` `policy_changed` if the visitor was shown another version of the policy.
 */
export async function record(
  by: Actor | undefined,
  { userAgent }: RequestOrigin,
  input: Choice,
  globalPrivacyControl: boolean,
  now: Date = Clock.now(),
): Promise<View> {
  if (input.policyVersion !== Policy.policyVersion)
    throw new Fault(
      "conflict",
      "policy_changed",
      "The cookie policy has changed. Reload the page and choose again.",
      { extra: { policyVersion: Policy.policyVersion } },
    );
  const categories = Policy.effective(input.categories, globalPrivacyControl);
  const row = {
    id: newId("con", now),
    user_id: by?.userId ?? null,
    policy_version: input.policyVersion,
    categories: categories.join(","),
    action: input.action,
    global_privacy_control: globalPrivacyControl,
    user_agent: userAgent,
    at: now,
  };
  await transaction((tx) => tx.insertInto("consents").values(row).execute());
  return view(row);
}

/** Lists the caller's choices, newest first, at most `maxListed`. */
export async function list(actor: Actor): Promise<View[]> {
  return (await newest(actor)).map(view);
}

/** Lists the caller's choices with everything that is stored about them, newest first, at most `maxListed`. */
export async function listStored(actor: Actor): Promise<Stored[]> {
  const rows = await newest(actor);
  return rows.map((row) => ({
    ...view(row),
    globalPrivacyControl: row.global_privacy_control,
    userAgent: row.user_agent,
  }));
}

/**
 * Clears the user and the browser of at most `count` choices of a user whose account is deleted. The choices stay as proof.
 * Returns the number of changed rows.
 */
export async function clearUser(tx: Tx, userId: string, count: number): Promise<number> {
  const updated = await tx
    .updateTable("consents")
    .set({ user_id: null, user_agent: "" })
    .where("id", "in", (select) =>
      select.selectFrom("consents").select("id").where("user_id", "=", userId).limit(count),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}

function newest({ userId }: Actor): Promise<Selectable<Consents>[]> {
  return db()
    .selectFrom("consents")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(maxListed)
    .execute();
}

function view(
  row: Pick<Selectable<Consents>, "id" | "policy_version" | "categories" | "action" | "at">,
): View {
  return {
    id: row.id,
    policyVersion: row.policy_version,
    categories: row.categories.split(",") as Policy.CategoryId[],
    action: row.action as View["action"],
    at: row.at.toISOString(),
    expiresAt: new Date(row.at.getTime() + Policy.choiceDays * 86_400_000).toISOString(),
  };
}
