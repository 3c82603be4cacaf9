import { type Expression, type ExpressionWrapper, expressionBuilder, type SqlBool } from "kysely";
import type { Schema } from "../platform/db/schema.ts";

/** An id, or an SQL expression that returns one. */
export type Id = string | Expression<string>;

/** Returns the SQL condition that a user has a second factor: an authenticator app, a passkey or a security key. */
export function hasSecondFactor(userId: Id): ExpressionWrapper<Schema, never, SqlBool> {
  const { exists, or, selectFrom } = expressionBuilder<Schema>();
  return or([
    exists(
      selectFrom("totp_factors")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("confirmed_at", "is not", null),
    ),
    exists(selectFrom("webauthn_credentials").select("id").where("user_id", "=", userId)),
  ]);
}
