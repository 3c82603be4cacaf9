import * as z from "zod/mini";

/** Release of the API whose shapes the payloads have. */
export const apiVersion = "1.4.0";

const when = z.iso.datetime();

const override = z.object({
  currency: z.string(),
  base: z.string(),
  rate: z.string(),
  validFrom: z.iso.date(),
  validTo: z.nullable(z.iso.date()),
  reason: z.string(),
});

/** Every event that leaves the house: what it means, its `data`, and an example that a test event carries. */
export const catalog = {
  "project.archived": {
    description: "A project was archived: it takes no new time and stays in reports.",
    data: z.object({
      projectId: z.string(),
      projectName: z.string(),
      client: z.string(),
      archivedAt: when,
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
      "The base currency of the workspace changed (`base_currency`, with the codes before and after), or a currency's rate was overridden or is the published one again (`override`, with the overrides before and after).",
    data: z.discriminatedUnion("changed", [
      z.object({
        changed: z.literal("base_currency"),
        currency: z.string(),
        before: z.string(),
        after: z.string(),
      }),
      z.object({
        changed: z.literal("override"),
        currency: z.string(),
        before: z.array(override),
        after: z.array(override),
      }),
    ]),
    example: { changed: "base_currency", currency: "CHF", before: "EUR", after: "CHF" },
  },
  "budget.forecast_warning": {
    description:
      "A project spent the alert threshold of its budget (`threshold`), or its pace leads past the whole of it (`forecast`); once for each period and threshold.",
    data: z.object({
      projectId: z.string(),
      projectName: z.string(),
      reason: z.enum(["threshold", "forecast"]),
      thresholdPercent: z.number(),
      percent: z.number(),
      forecastPercent: z.nullable(z.number()),
      forecastAt: z.nullable(when),
      period: z.string(),
      type: z.enum(["money", "hours"]),
      amount: z.string(),
      spent: z.string(),
      currency: z.nullable(z.string()),
    }),
    example: {
      projectId: "prj_example",
      projectName: "Website",
      reason: "threshold",
      thresholdPercent: 75,
      percent: 76.5,
      forecastPercent: 118,
      forecastAt: "2026-02-20T14:00:00.000Z",
      period: "2026-02",
      type: "money",
      amount: "10000.00",
      spent: "7650.00",
      currency: "EUR",
    },
  },
  "security.suspicious_login": {
    description: "Somebody of the workspace logged in, or tried to, in a way that looks wrong.",
    data: z.object({
      userId: z.string(),
      at: when,
      ip: z.string(),
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

/** What an event of this type tells subscribers: what the operation that emits it records as its `data`. */
export type DataOf<Type extends WebhookEventType> = z.infer<(typeof catalog)[Type]["data"]>;

export const webhookEventTypes = Object.keys(catalog) as [WebhookEventType, ...WebhookEventType[]];

/** What a receiver is sent, with the `data` of its type. */
export function payload(type: WebhookEventType) {
  return z.object({
    id: z.string(),
    type: z.literal(type),
    timestamp: when,
    apiVersion: z.literal(apiVersion),
    workspaceId: z.string(),
    data: catalog[type].data,
    test: z.optional(z.literal(true)),
  });
}

export const EventType = z.object({
  type: z.enum(webhookEventTypes),
  description: z.string(),
  example: z.record(z.string(), z.unknown()),
});
export type EventType = z.infer<typeof EventType>;

/** The catalogue as people read it. */
export function list(): EventType[] {
  return webhookEventTypes.map((type) => ({
    type,
    description: catalog[type].description,
    example: { ...catalog[type].example },
  }));
}
