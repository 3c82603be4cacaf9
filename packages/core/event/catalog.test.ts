import { expect, test } from "vitest";
import { catalog, webhookEventTypes } from "./catalog.ts";

test.each(webhookEventTypes)("the example of %s matches its schema", (type) => {
  expect(catalog[type].data.parse(catalog[type].example)).toEqual(catalog[type].example);
});

test("the catalog has four webhook event types, and none is about avatars", () => {
  expect(webhookEventTypes.toSorted()).toEqual([
    "budget.forecast_warning",
    "currency.changed",
    "project.archived",
    "security.suspicious_login",
  ]);
});
