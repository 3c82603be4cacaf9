import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll } from "vitest";

export type Caught = { to: string; subject: string; text: string; html: string };

/** A mail server for the tests of a file: everything that is sent meanwhile, oldest first. */
export function catchMails(): Caught[] {
  const caught: Caught[] = [];
  const before = process.env.SMTP_URL;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, _session, done) {
      const { to = [], subject = "", text = "", html = "" } = await PostalMime.parse(await buffer(stream));
      caught.push({ to: to.map(({ address }) => address).join(", "), subject, text, html });
      done();
    },
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    process.env.SMTP_URL = `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}`;
  });
  afterAll(async () => {
    process.env.SMTP_URL = before;
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return caught;
}
