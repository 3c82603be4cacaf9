import { expect, test } from "vitest";
import { catalog, isWebhookEvent, webhookEventTypes } from "./catalog.ts";

test.each(webhookEventTypes)("the example of %s is what its schema says", (type) => {
  expect(catalog[type].data.parse(catalog[type].example)).toEqual(catalog[type].example);
});

test("four events leave the house, and none about pictures", () => {
  expect(webhookEventTypes).toHaveLength(4);
  for (const action of ["user.avatar_changed", "user.avatar_removed", "toString", "__proto__"])
    expect(isWebhookEvent(action)).toBe(false);
});
