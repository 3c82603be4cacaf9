import { useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";

/** Loads the webhooks of a workspace. */
export function useWebhooks(workspaceId: string) {
  return useQuery({
    queryKey: ["webhooks", workspaceId],
    queryFn: ({ signal }) => svc.get("/api/v1/webhooks", { signal }),
  });
}

/** Loads a webhook. */
export function useWebhook(id: string) {
  return useQuery({
    queryKey: ["webhooks", "one", id],
    queryFn: ({ signal }) => svc.get("/api/v1/webhooks/{id}", { path: { id }, signal }),
  });
}

/** Loads the event types that webhooks can subscribe to. */
export function useEventTypes() {
  return useQuery({
    queryKey: ["webhooks", "events"],
    queryFn: ({ signal }) => svc.get("/api/v1/webhooks/events", { signal }),
  });
}
