import * as z from "zod/mini";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day } from "../base/day.ts";
import { Id } from "../base/id.ts";
import { Instant } from "../base/instant.ts";
import { IpAddress } from "../base/ip-address.ts";

/** The API version of the payloads. */
export const apiVersion = "1.4.0";

const override = z.object({
  currency: CurrencyCode,
  base: CurrencyCode,
  rate: z.string(),
  validFrom: Day,
  validTo: z.nullable(Day),
  reason: z.string(),
});

/** The webhook events: each with its description, the schema of its `data`, and the example that a test event sends. */
export const catalog = {
  "project.archived": {
    description: "A project was archived. Time can no longer be tracked on it, and it stays in reports.",
    data: z.object({
      projectId: Id,
      projectName: z.string(),
      client: z.string(),
      archivedAt: Instant,
      archivedBy: z.string(),
      stoppedTimers: z.int(),
    }),
    example: {
      projectId: "prj_example",
      projectName: "Website",
      client: "Acme",
      archivedAt: "2026-01-31T12:00:00.000Z",
      archivedBy: "usr_example",
      stoppedTimers: 1,
    },
  },
  "currency.changed": {
    description:
      "The workspace's base currency changed (`base_currency`, with the codes before and after), or the rate overrides of a currency changed (`override`, with the overrides before and after).",
    data: z.discriminatedUnion("changed", [
      z.object({
        changed: z.literal("base_currency"),
        currency: CurrencyCode,
        before: z.string(),
        after: z.string(),
      }),
      z.object({
        changed: z.literal("override"),
        currency: CurrencyCode,
        before: z.array(override),
        after: z.array(override),
      }),
    ]),
    example: { changed: "base_currency", currency: "CHF", before: "EUR", after: "CHF" },
  },
  "budget.forecast_warning": {
    description:
      "A project reached the alert threshold of its budget (`threshold`), or is forecast to exceed its budget (`forecast`). Sent once per period and threshold.",
    data: z.object({
      projectId: Id,
      projectName: z.string(),
      reason: z.enum(["threshold", "forecast"]),
      thresholdPercent: z.number(),
      percent: z.number(),
      forecastPercent: z.nullable(z.number()),
      /** The day on which the budget is used up, in the time zone of the workspace. */
      forecastDate: z.nullable(Day),
      /** Deprecated: use `forecastDate`. */
      forecastAt: z
        .nullable(Instant)
        .check(z.meta({ deprecated: true, description: "Deprecated: use `forecastDate`." })),
      period: z.string(),
      type: z.enum(["money", "hours"]),
      amount: z.string(),
      spent: z.string(),
      currency: z.nullable(CurrencyCode),
    }),
    example: {
      projectId: "prj_example",
      projectName: "Website",
      reason: "threshold",
      thresholdPercent: 75,
      percent: 76.5,
      forecastPercent: 118,
      forecastDate: "2026-02-20",
      forecastAt: "2026-02-20T14:00:00.000Z",
      period: "2026-02",
      type: "money",
      amount: "10000.00",
      spent: "7650.00",
      currency: "EUR",
    },
  },
  "security.suspicious_login": {
    description: "A member of the workspace signed in under suspicious circumstances.",
    data: z.object({
      userId: Id,
      at: Instant,
      ip: IpAddress,
      country: z.nullable(z.string()),
      reasons: z.array(z.string()),
    }),
    example: {
      userId: "usr_example",
      at: "2026-01-31T12:00:00.000Z",
      ip: "203.0.113.7",
      country: "CH",
      reasons: ["new_country", "new_device"],
    },
  },
} as const;

export type WebhookEventType = keyof typeof catalog;

/** The `data` of an event type. */
export type DataOf<Type extends WebhookEventType> = z.infer<(typeof catalog)[Type]["data"]>;

export const webhookEventTypes = Object.keys(catalog) as [WebhookEventType, ...WebhookEventType[]];

/** Returns the schema of the request body for an event type. */
export function payload(type: WebhookEventType) {
  return z.object({
    id: Id,
    type: z.literal(type),
    timestamp: Instant,
    apiVersion: z.literal(apiVersion),
    workspaceId: Id,
    data: catalog[type].data,
    test: z.optional(z.literal(true)),
  });
}

/** An event type, as the API lists it. */
export const EventType = z.object({
  type: z.enum(webhookEventTypes),
  description: z.string(),
  example: z.record(z.string(), z.unknown()),
});
export type EventType = z.infer<typeof EventType>;

/** Returns all webhook event types. */
export function list(): EventType[] {
  return webhookEventTypes.map((type) => ({
    type,
    description: catalog[type].description,
    example: { ...catalog[type].example },
  }));
}
