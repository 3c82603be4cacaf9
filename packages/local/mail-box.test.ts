import { connect } from "node:net";
import * as Clock from "@svc/core/base/clock";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MailBox, openMailBox } from "./mail-box.ts";

let box: MailBox;

beforeEach(async () => {
  box = await openMailBox({ capacity: 3 });
});

afterEach(async () => {
  await box.close();
  Clock.reset();
});

async function send(mail: object): Promise<void> {
  const transport = createTransport({ url: box.url });
  await transport.sendMail({ from: "svc <no-reply@svc.localhost>", ...mail });
  transport.close();
}

test("the mail box captures an email unchanged, with the time of the application clock", async () => {
  Clock.advance(86_400);
  const before = Clock.now().toISOString();
  await send({
    to: "Zoë <zoe@example.test>",
    subject: "Grüße ✓",
    text: "Link: http://localhost/verify#token=a=b\n.\nEnd",
    html: "<p>naïve</p>",
  });
  const [mail] = box.mails();
  expect(mail).toMatchObject({ to: "zoe@example.test", subject: "Grüße ✓" });
  expect(mail?.text.replaceAll("\r\n", "\n").trimEnd()).toBe(
    "Link: http://localhost/verify#token=a=b\n.\nEnd",
  );
  expect(mail?.html.trimEnd()).toBe("<p>naïve</p>");
  expect(mail && mail.at >= before).toBe(true);
});

test("the mail box lists all recipients and leaves missing parts empty", async () => {
  await send({ to: "a@x.test", bcc: "b@x.test", text: "hi" });
  expect(box.mails()[0]).toMatchObject({ to: "a@x.test, b@x.test", subject: "", html: "" });
});

test("the mail box lists the newest email first and keeps only the last ones", async () => {
  for (const subject of ["1", "2", "3", "4"]) await send({ to: "a@x.test", subject, text: "x" });
  expect(box.mails().map(({ subject }) => subject)).toEqual(["4", "3", "2"]);
});

test("the mail box rejects a message that is too large", async () => {
  await expect(send({ to: "a@x.test", text: "x".repeat(11 * 1024 * 1024) })).rejects.toThrow();
  expect(box.mails()).toEqual([]);
});

test("the mail box keeps working after a client disconnects in the middle of a message", async () => {
  const { hostname, port } = new URL(box.url);
  const client = connect(Number(port), hostname);
  await new Promise((resolve) => client.once("data", resolve));
  client.write("EHLO x\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nhalf a");
  client.resetAndDestroy();
  await send({ to: "a@x.test", subject: "after", text: "x" });
  expect(box.mails().map(({ subject }) => subject)).toEqual(["after"]);
});
