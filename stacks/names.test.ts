import { describe, expect, it } from "vitest";
import { shortened } from "./names.ts";

describe("shortened", () => {
  it("returns a name that fits as it is", () => {
    expect(shortened("get-team", 8)).toBe("get-team");
  });

  it("returns the same name of the given length each time for a name that is too long", () => {
    const name = "post-v1-webhooks-id-deliveries-deliveryid-retry";
    expect(shortened(name, 32)).toBe("post-v1-webhooks-id-del-efefaff4");
    expect(shortened(name, 32)).toHaveLength(32);
  });

  it("returns different names for two that begin alike", () => {
    const [retry, replay] = ["get-v1-webhooks-id-deliveries-retry", "get-v1-webhooks-id-deliveries-replay"];
    expect(shortened(retry, 32)).not.toBe(shortened(replay, 32));
  });
});
