import { Plus } from "lucide-react";
import { Avatar } from "../src/ui/avatar.tsx";
import { Badge } from "../src/ui/badge.tsx";
import { WordMark } from "../src/ui/brand.tsx";
import { Button } from "../src/ui/button.tsx";
import { Card } from "../src/ui/card.tsx";
import { RestoredNotice } from "../src/ui/draft.tsx";
import { Failure } from "../src/ui/failure.tsx";
import { Feed } from "../src/ui/feed.tsx";
import { Change, Figures } from "../src/ui/figures.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { Panels } from "../src/ui/panels.tsx";
import { Prose } from "../src/ui/prose.tsx";
import { RichText, strong } from "../src/ui/rich-text.tsx";
import { Skeleton } from "../src/ui/skeleton.tsx";
import { type Bar, StackedBars } from "../src/ui/stacked-bars.tsx";
import { Empty, ErrorState, Loading, Progress } from "../src/ui/states.tsx";
import { Status } from "../src/ui/status.tsx";
import { Table } from "../src/ui/table.tsx";
import { VirtualList } from "../src/ui/virtual-list.tsx";
import { rejected } from "./fields.tsx";
import { nothing, Section } from "./section.tsx";

const colors = [
  "background surface raised hover pressed track border control text muted ink on-ink float on-float float-muted float-danger",
  "accent accent-hover on-accent accent-text accent-tint focus positive positive-tint warning warning-tint danger danger-tint danger-fill on-danger backdrop",
].flatMap((names) => names.split(" ").map((name) => `color-${name}`));
const projects = "blue cyan teal green amber orange red pink violet slate".split(" ");

/** Colors and type. */
export function Tokens() {
  return (
    <Section title="Tokens">
      <ul className="design-swatches">
        {[...colors, ...projects.map((name) => `project-${name}`)].map((name) => (
          <li key={name}>
            <div className="design-swatch" style={{ background: `var(--${name})` }} />
            {name}
          </li>
        ))}
      </ul>
      <h1>Page title 22/28</h1>
      <h2>Dialog title 16/24</h2>
      <h3>Card title 14/20</h3>
      <p>
        Body 14/20 with a <a href="#tokens">link to a page</a>,
        <RichText text="<strong>strong text</strong>" marks={{ strong }} /> and <code>code</code>.
      </p>
      <p className="hint">Hint 13/18</p>
      <WordMark />
    </Section>
  );
}

const noPicture = { avatar: null, avatarSmall: null, avatarPlaceholder: null } as never;

/** Figures, cards, tables, badges and avatars. */
export function Data() {
  return (
    <Section title="Data">
      <Figures
        label="This week"
        figures={[
          { label: "Hours", value: "27:22", note: <Change value={1} text="2:10" good /> },
          { label: "Billable", value: "89 %", note: <Change value={-1} text="4 points" /> },
          { label: "Amount", value: ["€2,307", "CHF 410"] },
        ]}
      />
      <Card
        title="Card"
        count={4}
        tools={
          <IconButton label="Add" size="small">
            <Plus />
          </IconButton>
        }
      >
        <ProjectTable />
      </Card>
      <div data-forced="hover">
        <p className="hint">hover</p>
        <ProjectTable />
      </div>
      <div className="design-row">
        {(["usual", "good", "warn", "bad"] as const).map((look) => (
          <Status key={look} look={look}>
            {look}
          </Status>
        ))}
        <Badge>Archived</Badge>
        <Badge look="good">On track</Badge>
        <Badge look="warn">84 % used</Badge>
        <Badge look="bad">11 h over</Badge>
        {[20, 24, 32, 36].map((size) => (
          <Avatar key={size} id={`usr_${size}`} name="Sofia Keller" picture={noPicture} size={size} />
        ))}
      </div>
      <StackedBars
        text={{
          title: "Hours per day",
          showTable: "Show as table",
          showBars: "Show as bars",
          period: "Day",
          total: "Total",
          empty: "Hours appear here.",
        }}
        series={[
          { id: "a", name: "Website relaunch", color: "var(--project-blue)" },
          { id: "b", name: "Mobile app", color: "var(--project-teal)" },
        ]}
        bars={bars}
      />
      <VirtualList
        label="People"
        items={["Sofia Keller", "Jonas Frei"]}
        itemKey={(name) => name}
        rowHeight={24}
      >
        {(name) => name}
      </VirtualList>
      <div className="main">
        <Panels columns>
          <section>
            <h2>Panel</h2>
            <Prose text="Text of the API with `code`." />
          </section>
          <section>
            <h2>Panel</h2>
            <p>Beside the first one where there is room.</p>
          </section>
        </Panels>
      </div>
      <dl className="facts">
        <dt>Client</dt>
        <dd>Aurora Foods</dd>
        <dt>Rate</dt>
        <dd>€95.00</dd>
      </dl>
    </Section>
  );
}

function ProjectTable() {
  return (
    <Table
      caption="Projects"
      rows={[
        { name: "Website relaunch", hours: "9:15" },
        { name: "Mobile app", hours: "12:27" },
      ]}
      rowKey={({ name }) => name}
      columns={[
        { heading: "Project", cell: ({ name }) => name },
        { heading: "Hours", cell: ({ hours }) => hours, numeric: true, phone: "end" },
      ]}
    />
  );
}

const bars: Bar[] = ["Mon 16", "Tue 17", "Wed 18", "Thu 19"].map((title, at) => ({
  id: title,
  label: title.slice(0, 3),
  detail: title.slice(4),
  title,
  now: at === 3,
  values: [(at + 1) * 5400, 7200],
  total: (at + 1) * 5400 + 7200,
  href: "#bars",
}));

const feed = {
  data: { pages: [{ data: ["Signed in"], meta: { nextCursor: "next" } }], pageParams: [""] },
  isError: false,
  hasNextPage: true,
  isFetchingNextPage: true,
  isFetchNextPageError: false,
} as unknown as Parameters<typeof Feed<string>>[0]["feed"];

/** Loading, empty and failed. */
export function States() {
  return (
    <Section title="States">
      <Loading />
      <Feed feed={feed} empty={null}>
        {(rows) => rows.join()}
      </Feed>
      <RestoredNotice onDiscard={nothing} />
      <Failure error={rejected} />
      <Skeleton label="Loading entries" rows={3} />
      <Empty title="Entries you track today appear here.">
        <Button>Add entry</Button>
      </Empty>
      <ErrorState error={rejected} retry={nothing} />
      <Progress label="Uploading" share={0.4} />
      <p className="notice">A notice.</p>
      <p className="notice" data-look="bad">
        A notice about a failure.
      </p>
    </Section>
  );
}
