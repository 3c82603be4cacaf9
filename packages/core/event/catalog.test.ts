import { expect, test } from "vitest";
import { catalog, webhookEventTypes } from "./catalog.ts";

test.each(webhookEventTypes)("the example of %s matches its schema", (type) => {
  expect(catalog[type].data.parse(catalog[type].example)).toEqual(catalog[type].example);
});

test("webhooks carry four event types, and none about avatars", () => {
  expect(webhookEventTypes.toSorted()).toEqual([
    "budget.forecast_warning",
    "currency.changed",
    "project.archived",
    "security.suspicious_login",
  ]);
});
