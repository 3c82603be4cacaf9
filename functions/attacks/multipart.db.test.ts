import { type Person, person } from "@svc/core/testing/people";
import { jpeg } from "@svc/core/testing/pictures";
import { sample } from "@svc/core/testing/sample";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { multipartCases, statuses } from "../testing/multipart-bodies.ts";
import { form, request } from "../testing/request.ts";

const image = await jpeg({ width: 60, height: 40 });
let bucket: TestBucket;
let ada: Person;

beforeAll(async () => {
  bucket = await startBucket();
  process.env.RATE_LIMITS = "off";
  ada = await person();
});
afterAll(async () => {
  delete process.env.RATE_LIMITS;
  await bucket.close();
});

describe("a multipart body that stops the parser or ends the process", () => {
  test.each(sample(multipartCases(image), 40))(
    "gets its response: $name",
    async ({ contentType, body, expected }) => {
      const { status, body: answer } = await request("POST /api/upload/avatar", {
        token: ada.token,
        headers: { "content-type": contentType },
        body: body(),
      });
      expect([status, answer.code]).toEqual(
        expected === "accepted" ? [200, undefined] : [statuses[expected], expected],
      );
    },
  );

  test("does not prevent the next upload", async () => {
    expect((await request("POST /api/upload/avatar", { token: ada.token, form: form(image) })).status).toBe(
      200,
    );
  });
});
