import { Pencil, Play, Plus, Square, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Problem } from "../src/base/api.ts";
import { Avatar } from "../src/ui/avatar.tsx";
import { Badge } from "../src/ui/badge.tsx";
import { WordMark } from "../src/ui/brand.tsx";
import { Button } from "../src/ui/button.tsx";
import { Card } from "../src/ui/card.tsx";
import { DateField, DateTimeField } from "../src/ui/date-field.tsx";
import { ConfirmDialog, Dialog, SecretDialog } from "../src/ui/dialog.tsx";
import { Change, Figures } from "../src/ui/figures.tsx";
import { CheckField, Form, SelectField, TextArea, TextField, useForm } from "../src/ui/form.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { Menu } from "../src/ui/menu.tsx";
import { Segmented } from "../src/ui/segmented.tsx";
import { Skeleton } from "../src/ui/skeleton.tsx";
import { Empty, ErrorState, Progress } from "../src/ui/states.tsx";
import { Table } from "../src/ui/table.tsx";
import { Tabs } from "../src/ui/tabs.tsx";
import { toast } from "../src/ui/toast.tsx";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="design-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const colors = [
  "background surface raised hover pressed track border control text muted ink float",
  "accent accent-text accent-tint focus positive positive-tint warning warning-tint danger danger-tint danger-fill",
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
        Body 14/20 with a <a href="#tokens">link to a page</a>, <strong>strong text</strong> and{" "}
        <code>code</code>.
      </p>
      <p className="hint">Hint 13/18</p>
      <WordMark />
    </Section>
  );
}

const looks = ["primary", "plain", "quiet", "danger"] as const;
const nothing = () => {};

/** Buttons, menus, tabs and other controls that start something. */
export function Actions() {
  const [period, setPeriod] = useState<"day" | "week">("week");
  return (
    <Section title="Actions">
      {looks.map((look) => (
        <div key={look} className="design-row">
          <Button look={look}>Save changes</Button>
          <Button look={look}>
            <Plus /> Add entry
          </Button>
          <Button look={look} data-size="small">
            Small
          </Button>
          <Button look={look} data-size="large">
            Large
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
          <Button look={look} busy>
            Pending
          </Button>
        </div>
      ))}
      <div className="design-row">
        <button type="button" className="button" data-look="ink">
          <Square data-filled="" /> Stop
        </button>
        <IconButton label="Start timer">
          <Play data-filled="" />
        </IconButton>
        <IconButton label="Edit" size="small">
          <Pencil />
        </IconButton>
        <Menu
          label="Actions"
          items={[
            { label: "Edit", Icon: Pencil, onSelect: nothing },
            { label: "Delete", Icon: Trash2, onSelect: nothing, danger: true },
          ]}
        >
          Menu
        </Menu>
        <button type="button" className="link">
          Link button
        </button>
        <Segmented
          label="Period"
          value={period}
          onChange={setPeriod}
          options={[
            { value: "day", label: "Day" },
            { value: "week", label: "Week" },
          ]}
        />
      </div>
      <Tabs
        label="Tabs"
        tabs={[
          { id: "one", label: "Profile", content: () => <p>The content of the first tab.</p> },
          { id: "two", label: "Security", content: () => <p>The content of the second tab.</p> },
        ]}
      />
    </Section>
  );
}

const rejected = new Problem(422, {
  detail: "Validation failed.",
  errors: [
    { code: "invalid", pointer: "/name", detail: "Name is required." },
    { code: "invalid", pointer: "/currency", detail: "Choose a currency." },
  ],
});

/** Form fields with a hint, an error and no value. */
export function Fields() {
  const initial = {
    name: "",
    email: "sofia@example.com",
    currency: "EUR",
    note: "",
    billable: true,
    archived: false,
    day: "2026-11-19",
    start: "2026-11-19T09:30",
  };
  const form = useForm(initial, () => Promise.reject(rejected));
  return (
    <Section title="Fields">
      <Form form={form} submitLabel="Show errors" wide>
        <div className="design-fields">
          <TextField form={form} name="name" label="Name" placeholder="Website relaunch" required />
          <TextField form={form} name="email" label="Email" hint="Only admins see it." />
          <SelectField
            form={form}
            name="currency"
            label="Currency"
            options={[
              { value: "EUR", label: "Euro" },
              { value: "CHF", label: "Swiss franc" },
            ]}
          />
          <DateField form={form} name="day" label="Day" />
          <DateTimeField form={form} name="start" label="Start" />
          <TextArea form={form} name="note" label="Note" />
          <CheckField form={form} name="billable" label="Billable" hint="Counts as revenue." />
          <CheckField form={form} name="archived" label="Archived" />
          <label className="field">
            <span className="label">Disabled</span>
            <input disabled value="Cannot be changed" readOnly />
          </label>
        </div>
      </Form>
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
        <Table
          caption="Projects"
          rows={[
            { name: "Website relaunch", hours: "9:15" },
            { name: "Mobile app", hours: "12:27" },
          ]}
          rowKey={({ name }) => name}
          columns={[
            { heading: "Project", cell: ({ name }) => name },
            { heading: "Hours", cell: ({ hours }) => hours, numeric: true },
          ]}
        />
      </Card>
      <div className="design-row" />
      <div className="design-row">
        <Badge>Archived</Badge>
        <Badge look="good">On track</Badge>
        <Badge look="warn">84 % used</Badge>
        <Badge look="bad">11 h over</Badge>
        {[20, 24, 32, 36].map((size) => (
          <Avatar key={size} id={`usr_${size}`} name="Sofia Keller" picture={noPicture} size={size} />
        ))}
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

/** Loading, empty and failed. */
export function States() {
  return (
    <Section title="States">
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

const dialogs = ["form", "confirmation", "secret"] as const;

/** Dialogs and toasts, which float above the page. */
export function Overlays() {
  const [open, setOpen] = useState<(typeof dialogs)[number]>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Overlays">
      <div className="design-row">
        {dialogs.map((dialog) => (
          <Button key={dialog} onClick={() => setOpen(dialog)}>
            Open {dialog}
          </Button>
        ))}
        <Button onClick={() => toast("Entry deleted.", { label: "Undo", onAction: nothing })}>
          Show toast
        </Button>
      </div>
      {open === "form" && (
        <Dialog title="New project" onClose={close}>
          <NameForm />
        </Dialog>
      )}
      {open === "confirmation" && (
        <ConfirmDialog
          title="Delete 2 entries?"
          confirmLabel="Delete entries"
          onConfirm={close}
          onClose={close}
        >
          <p>4:20 leaves this week's total.</p>
        </ConfirmDialog>
      )}
      {open === "secret" && (
        <SecretDialog title="Signing secret" onSaved={close}>
          <code className="secret-text">whsec_0123456789</code>
        </SecretDialog>
      )}
    </Section>
  );
}

function NameForm() {
  const form = useForm({ name: "" }, () => Promise.reject(rejected));
  return (
    <Form form={form} submitLabel="Add project">
      <TextField form={form} name="name" label="Name" />
    </Form>
  );
}
