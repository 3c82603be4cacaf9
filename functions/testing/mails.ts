import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll } from "vitest";

/** Starts a mail server for the tests of a file. `to` returns the emails to an address, oldest first. */
export function mailServer() {
  const received: { to: string; mail: Email }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, { envelope }, done) =>
      void buffer(stream)
        .then((message) => PostalMime.parse(message))
        .then((mail) => received.push(...envelope.rcptTo.map(({ address }) => ({ to: address, mail }))))
        .then(() => done(), done),
  });
  let before: string | undefined;
  beforeAll(async () => {
    smtp.listen(0, "127.0.0.1");
    await once(smtp.server, "listening");
    before = process.env.SMTP_URL;
    process.env.SMTP_URL = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    process.env.SMTP_URL = before;
    await new Promise<void>((resolve) => smtp.close(resolve));
  });
  return { to: (address: string) => received.filter(({ to }) => to === address).map(({ mail }) => mail) };
}
