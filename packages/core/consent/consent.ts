import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { newId } from "../base/id.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Policy from "./policy.ts";

const CategoryId = z.enum(Policy.categoryIds);

export const PolicyView = z.object({
  policyVersion: z.string(),
  choiceDays: z.int(),
  categories: z.array(
    z.object({
      id: CategoryId,
      locked: z.boolean(),
      purpose: z.string(),
      cookies: z.array(z.object({ name: z.string(), purpose: z.string(), duration: z.string() })),
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
  id: z.string(),
  policyVersion: z.string(),
  categories: z.array(CategoryId),
  action: z.enum(actions),
  at: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

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
 * Records a consent choice of a user or an anonymous visitor. Choices are never changed or deleted. Categories that Global
 * Privacy Control rejects are not allowed, regardless of the choice. Throws `conflict` `policy_changed` if the visitor was
 * shown another version of the policy.
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
  const rows = await db()
    .selectFrom("consents")
    .select(["id", "policy_version", "categories", "action", "at"])
    .where("user_id", "=", actor.userId)
    .orderBy("id", "desc")
    .limit(maxListed)
    .execute();
  return rows.map(view);
}

function view(row: {
  id: string;
  policy_version: string;
  categories: string;
  action: string;
  at: Date;
}): View {
  return {
    id: row.id,
    policyVersion: row.policy_version,
    categories: row.categories.split(",") as Policy.CategoryId[],
    action: row.action as View["action"],
    at: row.at.toISOString(),
    expiresAt: new Date(row.at.getTime() + Policy.choiceDays * 86_400_000).toISOString(),
  };
}
