import { Fault } from "../../base/fault.ts";
import * as Config from "../config/config.ts";
import { memoizeByConfig } from "../config/memoize.ts";

/** An email, ready to send. */
export type Email = { to: string; subject: string; text: string; html: string };

/** nodemailer is loaded with the first email, because most functions rarely send one. */
const transport = memoizeByConfig(Config.mail, async ({ smtpUrl }) => {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 3000,
    greetingTimeout: 3000,
    socketTimeout: 4000,
  });
});

/** Sends an email within 10 seconds. Throws `upstream` `mail_unavailable` if the mail server does not accept it. */
export async function send(email: Email): Promise<void> {
  const { from } = Config.mail();
  try {
    await (await transport()).sendMail({ from, ...email });
  } catch (cause) {
    throw new Fault(
      "upstream",
      "mail_unavailable",
      "The email could not be sent. Try again in a few minutes.",
      { cause },
    );
  }
}
