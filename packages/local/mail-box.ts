import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as Clock from "@svc/core/base/clock";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

/** A received email. `to` contains all recipients, separated by commas. Missing parts are empty strings. */
export type CapturedMail = { to: string; subject: string; text: string; html: string; at: string };

export type MailBox = {
  /** Value for SMTP_URL. */
  url: string;
  /** Returns the most recent emails, newest first. */
  mails(): readonly CapturedMail[];
  close(): Promise<void>;
};

const maxMessageBytes = 10 * 1024 * 1024;

/** Starts an SMTP server on 127.0.0.1 that keeps the last `capacity` emails in memory and delivers none of them. */
export async function openMailBox({
  capacity = 500,
  now = Clock.now,
}: {
  capacity?: number;
  now?: () => Date;
} = {}): Promise<MailBox> {
  const captured: CapturedMail[] = [];

  async function capture(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
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
    onData: (stream, session, done) => void capture(stream, session).then(() => done(), done),
  });
  // Emitted when a client disconnects early, which affects no other client.
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
