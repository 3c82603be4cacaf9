import * as z from "zod/mini";

/** Release of the API whose shapes the payloads have. */
export const apiVersion = "1.4.0";

const when = z.iso.datetime();

/** Every event that leaves the house: what it means, its `data`, and an example that a test event carries. */
export const catalog = {
  "project.archived": {
    description: "A project was archived: it takes no new time and stays in reports.",
    data: z.object({
      projectId: z.string(),
      name: z.string(),
      archivedAt: when,
      archivedBy: z.string(),
    }),
    example: {
      projectId: "prj_example",
      name: "Website",
      archivedAt: "2026-01-31T12:00:00.000Z",
      archivedBy: "usr_example",
    },
  },
  "currency.changed": {
    description:
      "The base currency of the workspace changed (`base`), or a rate was overridden (`override`) or is the published one again (`override_removed`).",
    data: z.object({
      change: z.enum(["base", "override", "override_removed"]),
      currency: z.string(),
      before: z.nullable(z.string()),
      after: z.nullable(z.string()),
    }),
    example: { change: "override", currency: "USD", before: "1.0842", after: "1.1000" },
  },
  "budget.forecast_warning": {
    description: "A project spent the alert threshold of its budget, or is forecast to pass the whole of it.",
    data: z.object({
      projectId: z.string(),
      name: z.string(),
      reason: z.enum(["threshold", "forecast"]),
      thresholdPercent: z.number(),
      spentPercent: z.number(),
      forecastDate: z.nullable(z.iso.date()),
    }),
    example: {
      projectId: "prj_example",
      name: "Website",
      reason: "threshold",
      thresholdPercent: 75,
      spentPercent: 76.5,
      forecastDate: "2026-02-20",
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

export type Outward = keyof typeof catalog;

export const outward = Object.keys(catalog) as [Outward, ...Outward[]];

/** Whether an action is one that webhooks carry. */
export function isOutward(action: string): action is Outward {
  return Object.hasOwn(catalog, action);
}

/** What a receiver is sent, with the `data` of its type. */
export function payload(type: Outward) {
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
  type: z.enum(outward),
  description: z.string(),
  example: z.record(z.string(), z.unknown()),
});
export type EventType = z.infer<typeof EventType>;

/** The catalogue as people read it. */
export function list(): EventType[] {
  return outward.map((type) => ({
    type,
    description: catalog[type].description,
    example: { ...catalog[type].example },
  }));
}
