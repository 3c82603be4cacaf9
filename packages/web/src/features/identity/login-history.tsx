import type { LoginRecord } from "@svc/client";
import { country, dayTime, list } from "../../base/format.ts";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.history;

/** Lists all sign-ins and failed attempts, newest first. */
export function LoginHistory() {
  const feed = useFeed(["login-history"], "/user/login-history", {});
  return (
    <section aria-labelledby="history">
      <h2 id="history">{messages.title}</h2>
      <p>{messages.lead}</p>
      <Feed
        feed={feed}
        empty={
          <Empty title={messages.emptyTitle}>
            <p>{messages.emptyHint}</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            stacked
            caption={messages.caption}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { heading: messages.columns.time, cell: ({ at }) => <time dateTime={at}>{dayTime(at)}</time> },
              { heading: messages.columns.outcome, phone: "end", cell: (login) => <Outcome login={login} /> },
              { heading: messages.columns.method, cell: ({ method }) => messages.methods[method] },
              { heading: messages.columns.device, cell: ({ device }) => device },
              {
                heading: messages.columns.location,
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
      {outcome === "success" ? messages.signedIn : messages.failed}
      {suspicious && (
        <>
          {" "}
          <strong className="bad">{messages.suspicious}</strong>
        </>
      )}
      {why.length > 0 && <p className="hint">{list(why.map((reason) => messages.reasons[reason]))}</p>}
    </>
  );
}
