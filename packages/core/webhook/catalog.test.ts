import { expect, test } from "vitest";
import { catalog, isOutward, outward } from "./catalog.ts";

test.each(outward)("the example of %s is what its schema says", (type) => {
  expect(catalog[type].data.parse(catalog[type].example)).toEqual(catalog[type].example);
});

test("four events leave the house, and none about pictures", () => {
  expect(outward).toHaveLength(4);
  for (const action of ["user.avatar_changed", "user.avatar_removed", "toString", "__proto__"])
    expect(isOutward(action)).toBe(false);
});
