import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as Clock from "@svc/core/base/clock";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

/** A mail as it was received. `to` names all recipients, joined by commas; what a mail lacks is an empty string. */
export type CapturedMail = { to: string; subject: string; text: string; html: string; at: string };

export type MailBox = {
  /** For SMTP_URL. */
  url: string;
  /** The last mails, newest first. */
  mails(): readonly CapturedMail[];
  close(): Promise<void>;
};

const maxMessageBytes = 10 * 1024 * 1024;

/** A mail server on 127.0.0.1 that delivers nothing and keeps what it gets in memory, up to `capacity` mails. */
export async function openMailBox({
  capacity = 500,
  now = Clock.now,
}: {
  capacity?: number;
  now?: () => Date;
} = {}): Promise<MailBox> {
  const captured: CapturedMail[] = [];

  async function keep(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const message = await buffer(stream);
    if (stream.sizeExceeded) throw new Error("The message is too large.");
    const { subject = "", text = "", html = "" } = await PostalMime.parse(message);
    const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
    captured.unshift({ to, subject, text, html, at: now().toISOString() });
    captured.length = Math.min(captured.length, capacity);
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: maxMessageBytes,
    onData: (stream, session, done) => void keep(stream, session).then(() => done(), done),
  });
  // Heard of when a client breaks off; it concerns that client alone.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => captured,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
