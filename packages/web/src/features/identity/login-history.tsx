import type { LoginRecord } from "@svc/client";
import { country, dayTime } from "../../base/format.ts";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";

const methods: Record<LoginRecord["method"], string> = {
  password: "password",
  totp: "authenticator app",
  webauthn: "passkey or security key",
  passkey: "passkey",
  backup_code: "backup code",
  email_link: "email link",
  emergency_bypass: "emergency access",
};

const reasons: Record<LoginRecord["reasons"][number], string> = {
  new_country: "from a new country",
  new_device: "on a new device",
  impossible_travel: "too far from the previous sign-in",
  after_failures: "after many failed attempts",
  first_in_90_days: "first in 90 days",
};

/** Lists all sign-ins and failed attempts, newest first. */
export function LoginHistory() {
  const feed = useFeed(["login-history"], "/user/login-history", {});
  return (
    <section aria-labelledby="history">
      <h2 id="history">Sign-ins and failed attempts</h2>
      <p>If you do not recognize a sign-in, change your password and end all other sessions.</p>
      <Feed
        feed={feed}
        empty={
          <Empty title="No sign-ins yet">
            <p>Your sign-ins and failed attempts will appear here.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            stacked
            caption="Sign-ins"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { heading: "Time", cell: ({ at }) => <time dateTime={at}>{dayTime(at)}</time> },
              { heading: "Outcome", phone: "end", cell: (login) => <Outcome login={login} /> },
              { heading: "Method", cell: ({ method }) => methods[method] },
              { heading: "Device", cell: ({ device }) => device },
              {
                heading: "Location",
                cell: ({ city, country: code, ip }) =>
                  [city, code && country(code), ip].filter(Boolean).join(", "),
              },
            ]}
          />
        )}
      </Feed>
    </section>
  );
}

function Outcome({ login: { outcome, suspicious, reasons: why } }: { login: LoginRecord }) {
  return (
    <>
      {outcome === "success" ? "Signed in" : "Failed"}
      {suspicious && (
        <>
          {" "}
          <strong className="bad">suspicious</strong>
        </>
      )}
      {why.length > 0 && <p className="hint">{why.map((reason) => reasons[reason]).join(", ")}</p>}
    </>
  );
}
