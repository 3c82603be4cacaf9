import type { EventType } from "@svc/core/event/catalog";
import type { View as Webhook } from "@svc/core/webhook/endpoint";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";

/** Loads the webhooks of a workspace. */
export function useWebhooks(workspaceId: string) {
  return useQuery({
    queryKey: ["webhooks", workspaceId],
    queryFn: ({ signal }) => get<{ data: Webhook[] }>("/api/v1/webhooks", { signal }),
  });
}

/** Loads a webhook. */
export function useWebhook(id: string) {
  return useQuery({
    queryKey: ["webhooks", "one", id],
    queryFn: ({ signal }) => get<Webhook>(`/api/v1/webhooks/${id}`, { signal }),
  });
}

/** Loads the event types that webhooks can subscribe to. */
export function useEventTypes() {
  return useQuery({
    queryKey: ["webhooks", "events"],
    queryFn: ({ signal }) => get<{ data: EventType[] }>("/api/v1/webhooks/events", { signal }),
  });
}
