import { list } from "../../base/format.ts";

/** The texts of the pages Webhooks, Webhook and Delivery. */
export const messages = {
  webhooks: "Webhooks",
  webhook: "Webhook",
  lead: "Send the events of this workspace to your own systems as signed messages.",
  none: "No webhooks yet",
  noneHint: "Create a webhook to receive events such as archived projects, exceeded budgets and sign-ins.",
  newWebhook: "New webhook",
  created: "Webhook created.",
  allWebhooks: "All webhooks",

  url: "URL",
  events: "Events",
  allEvents: "All events",
  eventList: (events: readonly string[]) => list(events),
  description: "Description",
  headers: "Custom headers",
  headerList: (names: readonly string[]) => list(names),
  status: "Status",
  statuses: { enabled: "enabled", disabled: "disabled" },
  createdAt: "Created",

  /** Why and since when a webhook is disabled. */
  disabledBecause: {
    manual: (since: string) =>
      `Disabled since ${since}: it was disabled manually. No events are sent. After you enable it, recover the events that it missed.`,
    gone: (since: string) =>
      `Disabled since ${since}: the endpoint returned 410 Gone. No events are sent. After you enable it, recover the events that it missed.`,
    failing: (since: string) =>
      `Disabled since ${since}: its last 20 deliveries failed. No events are sent. After you enable it, recover the events that it missed.`,
  },
  disabledNote: "Disabled. No events are sent. After you enable it, recover the events that it missed.",
  secret: "Secret",
  secretRotated: (until: string) => `Rotated. The previous secret also signs until ${until}.`,
  secretShown: "Shown once, when the webhook was created.",
  enable: "Enable webhook",
  enabledNow: "Webhook enabled.",
  disable: "Disable webhook",
  disabledNow: "Webhook disabled.",

  edit: {
    newTitle: "New webhook",
    title: "Edit webhook",
    create: "Create webhook",
    save: "Save changes",
    saved: "Webhook saved.",
    urlHint: "Must be reachable from the internet over HTTPS.",
    allEvents: "All events, including future ones",
    headersExample: "Authorization: Bearer …",
    headersHint: (mask: string) =>
      `One per line, for example X-Source: svc. Values are not shown again after saving. Leave ${mask} unchanged to keep a value.`,
    otherOrigin: (origin: string, names: readonly string[]) =>
      `Header values are sent only to ${origin}, which they were entered for. For the new URL, enter the values of ${list(names)} again, or remove these lines.`,
    valuesMissing: (names: readonly string[]) =>
      `Enter the values of ${list(names)} again, or remove these lines.`,
    headerError: (name: string, detail: string) => `${name}: ${detail}`,
  },
  test: {
    title: "Send test event",
    lead: 'Sends a sample event, marked <code>"test":true</code>, to this webhook only.',
    event: "Event",
    queued: "Test event queued.",
  },
  recover: {
    ask: "Recover events",
    title: "Recover missed events",
    lead: "Sends every event since this time that did not reach this webhook: failed deliveries, and events that occurred while it was disabled.",
    since: "Since",
    sinceHint: "In this device’s time zone.",
    nothing: "No events were missed.",
    queued: (count: string) => `Missed events queued: ${count}.`,
  },
  rotate: {
    ask: "Rotate secret",
    question: "Rotate the signing secret?",
    warning:
      "A new secret is created and shown once. For 24 hours, each message carries two signatures, one by the new and one by the old secret, so that your receiver can switch without missing messages. After that, the old secret is invalid. Rotating again within 24 hours invalidates the oldest secret at once.",
    done: "Secret rotated.",
  },
  signingSecret: {
    title: "Signing secret",
    lead: "Store the secret now: it is shown only once. Your receiver uses it to verify the header <code>webhook-signature</code> of each message.",
    copy: "Copy secret",
    saved: "I have stored it",
  },
  deletion: {
    ask: "Delete webhook",
    question: "Delete this webhook?",
    warning: (url: string) =>
      `Events are no longer sent to ${url}, and its delivery log is deleted. To pause it, disable it instead.`,
    done: "Webhook deleted.",
  },

  log: {
    title: "Delivery log",
    none: "No deliveries yet",
    noneHint: "Deliveries appear here for 90 days. Send a test event to see one.",
    caption: "Deliveries",
    attempts: "Attempts",
    completed: "Completed",
    actions: "Actions",
    retry: "Retry",
    retryOne: (type: string, at: string) => `Retry ${type} from ${at}`,
  },
  delivery: {
    title: "Delivery",
    back: "Back to the webhook",
    retry: "Retry delivery",
    queued: "Delivery queued again.",
    statuses: { delivered: "delivered", failed: "failed", pending: "pending" },
    due: "Due now",
    next: (time: string) => `Next attempt at ${time}`,
    event: "Event",
    status: "Status",
    created: "Created",
    /** The name of the HTTP header. */
    id: "webhook-id",
    request: "Request",
    requestBody: "Request body",
    attempts: "Attempts",
    noAttempts: "No attempts yet",
    attempt: (number: string) => `Attempt ${number}`,
    noResponse: "No response",
    took: (at: string, ms: string) => `${at}, ${ms} ms`,
    requestHeaders: "Request headers",
    requestHeadersOf: (number: string) => `Request headers of attempt ${number}`,
    responseHeaders: "Response headers",
    responseHeadersOf: (number: string) => `Response headers of attempt ${number}`,
    responseBody: "Response body",
    responseBodyOf: (number: string) => `Response body of attempt ${number}`,
    emptyBody: "The response body is empty.",
  },
};
