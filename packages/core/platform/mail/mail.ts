import { Fault } from "../../base/fault.ts";
import * as Config from "../config/config.ts";
import { memoizeByConfig } from "../config/memoize.ts";

export type Email = { to: string; subject: string; text: string; html: string };

/** Loaded with the first letter: most logins send none. */
const transport = memoizeByConfig(Config.mail, async ({ smtpUrl }) => {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 3000,
    greetingTimeout: 3000,
    socketTimeout: 4000,
  });
});

/** Hand a letter to the mail server, within ten seconds. Throws 502 `mail_unavailable` when it does not take it. */
export async function send(letter: Email): Promise<void> {
  const { from } = Config.mail();
  try {
    await (await transport()).sendMail({ from, ...letter });
  } catch (cause) {
    throw new Fault(
      "upstream",
      "mail_unavailable",
      "The mail could not be sent. Try again in a few minutes.",
      { cause },
    );
  }
}
