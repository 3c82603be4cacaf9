import { describe, expect, test } from "vitest";
import { Fault } from "./fault.ts";
import { invalid, invalidWithCode } from "./invalid.ts";

describe("Fault", () => {
  test("has the cause of its details, which logs show", () => {
    const cause = new Error("socket closed");
    const fault = new Fault("upstream", "feed_unreachable", "The server cannot be reached.", { cause });
    expect(fault).toMatchObject({ name: "Fault", message: "The server cannot be reached.", cause });
  });

  test("has no cause property without a cause", () => {
    expect(new Fault("missing", "not_found", "Not found.")).not.toHaveProperty("cause");
  });
});

const detail = "Name is required.";
const errors = [{ pointer: "/name", code: "required", detail }];

test("invalid reports the code of the value under the common code of validation", () => {
  expect(invalid({ pointer: "/name" }, "required", detail)).toMatchObject({
    kind: "invalid",
    code: "invalid_input",
    details: { errors },
  });
});

test("invalidWithCode reports the code of the value as the code of the fault", () => {
  expect(invalidWithCode({ pointer: "/name" }, "required", detail)).toMatchObject({
    kind: "invalid",
    code: "required",
    message: detail,
    details: { errors },
  });
});
