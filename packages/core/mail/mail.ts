import { createTransport, type Transporter } from "nodemailer";
import * as Config from "../config/config.ts";
import { Fault } from "../fault.ts";

export type Letter = { to: string; subject: string; text: string; html: string };

let transport: { smtpUrl: string; transporter: Transporter } | undefined;

/** Hand a letter to the mail server, within ten seconds. Throws 502 `mail_unavailable` when it does not take it. */
export async function send(letter: Letter, { from, smtpUrl }: Config.Mail = Config.mail()): Promise<void> {
  if (transport?.smtpUrl !== smtpUrl) {
    transport?.transporter.close();
    const limits = { connectionTimeout: 3000, greetingTimeout: 3000, socketTimeout: 4000 };
    transport = { smtpUrl, transporter: createTransport({ url: smtpUrl, ...limits }) };
  }
  try {
    await transport.transporter.sendMail({ from, ...letter });
  } catch (cause) {
    throw new Fault(
      "upstream",
      "mail_unavailable",
      "The mail could not be sent. Try again in a few minutes.",
      { cause },
    );
  }
}
