import { Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Problem } from "../src/base/api.ts";
import { Button } from "../src/ui/button.tsx";
import { ComboBox } from "../src/ui/combo-box.tsx";
import { ConfirmAction } from "../src/ui/confirm-action.tsx";
import { Conflicts, useEdit } from "../src/ui/conflict.tsx";
import { DatePicker } from "../src/ui/date-picker.tsx";
import { Dialog, SecretDialog } from "../src/ui/dialog.tsx";
import { DialogHost, useDialogHost } from "../src/ui/dialog-host.tsx";
import { useFilters } from "../src/ui/filters.tsx";
import { Form, TextField, useForm } from "../src/ui/form.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { Menu } from "../src/ui/menu.tsx";
import { toast } from "../src/ui/toast.tsx";
import { Tooltip } from "../src/ui/tooltip.tsx";
import { menuItems } from "./actions.tsx";
import { ChipSample, rejected, SuggestSample, zones } from "./fields.tsx";
import { nothing, Section } from "./section.tsx";

/** The overlays by name, with the height that they need. */
const overlays: Record<string, { height: number; content: () => ReactNode }> = {
  menu: {
    height: 160,
    content: () => (
      <Opened>
        <Menu label="Actions" items={menuItems} placement="bottom start">
          Menu
        </Menu>
      </Opened>
    ),
  },
  tooltip: {
    height: 100,
    content: () => (
      <Opened by="focus">
        <Tooltip text="Add entry" placement="bottom">
          <Button>Add</Button>
        </Tooltip>
        <IconButton label="Add">
          <Plus />
        </IconButton>
      </Opened>
    ),
  },
  "combo box": {
    height: 300,
    content: () => (
      <Opened>
        <ComboBox label="Time zone" options={zones} value="Europe/Zurich" onChange={nothing} />
      </Opened>
    ),
  },
  "combo box without a match": {
    height: 140,
    content: () => (
      <Opened>
        <ComboBox label="Time zone" options={[]} value="" onChange={nothing} />
      </Opened>
    ),
  },
  "date picker": {
    height: 450,
    content: () => (
      <Opened>
        <DatePicker label="Day" value="2026-11-19" onChange={nothing} />
      </Opened>
    ),
  },
  "filter chip": {
    height: 220,
    content: () => (
      <Opened>
        <Chip />
      </Opened>
    ),
  },
  suggestions: {
    height: 160,
    content: () => (
      <Opened by="arrow">
        <SuggestSample />
      </Opened>
    ),
  },
  "dialog with a form": { height: 260, content: () => <NameDialog /> },
  "unsaved changes": {
    height: 320,
    content: () => (
      <DialogHost>
        <Hosted />
      </DialogHost>
    ),
  },
  confirmation: {
    height: 260,
    content: () => (
      <ConfirmAction
        title="Delete 2 entries?"
        confirmLabel="Delete entries"
        action={() => Promise.reject(rejected)}
        onDone={nothing}
        onClose={nothing}
      >
        <p>4:20 leaves this week's total.</p>
      </ConfirmAction>
    ),
  },
  secret: {
    height: 260,
    content: () => (
      <SecretDialog title="Signing secret" onSaved={nothing}>
        <code className="secret-text">whsec_0123456789</code>
      </SecretDialog>
    ),
  },
  conflict: {
    height: 400,
    content: () => (
      <Conflicts>
        <Edited />
      </Conflicts>
    ),
  },
  toast: { height: 140, content: () => <ToastSample /> },
};

/** Menus, lists, dialogs and toasts as they look while open. Each is in a frame, because a document has one of them open. */
export function Overlays() {
  return (
    <Section title="Overlays">
      <div className="design-frames">
        {Object.entries(overlays).map(([name, { height }]) => (
          <figure key={name} className="design-frame">
            <figcaption className="hint">{name}</figcaption>
            <iframe
              title={name}
              loading="lazy"
              height={height}
              src={`${location.pathname}?open=${encodeURIComponent(name)}`}
            />
          </figure>
        ))}
      </div>
    </Section>
  );
}

/** The content of a frame: one open overlay. */
export function Overlay({ name }: { name: string }) {
  return overlays[name]?.content();
}

/** Keeps the overlay of a frame open while another frame takes the focus. Must run before React listens. */
export function ignoreBlur(): void {
  for (const type of ["blur", "focusout"])
    window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
}

/** Opens what is inside: by a click on its last button, by focus, or by the down arrow. */
function Opened({ by = "click", children }: { by?: "click" | "focus" | "arrow"; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buttons = [...(box.current?.querySelectorAll("button") ?? [])];
    const control = buttons.at(-1) ?? box.current?.querySelector("input");
    if (by === "click") control?.click();
    else control?.focus();
    if (by === "arrow")
      control?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  }, [by]);
  return (
    <div ref={box} className="design-row">
      {children}
    </div>
  );
}

function Chip() {
  return <ChipSample name="project" filters={useFilters({ project: "", person: "" })} />;
}

function NameDialog({ onClose = nothing, name = "" }: { onClose?: () => void; name?: string }) {
  const form = useForm({ name: "" }, () => Promise.reject(rejected));
  const { set } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: types once.
  useEffect(() => {
    if (name) set("name", name);
  }, []);
  return (
    <Dialog title="New project" onClose={onClose}>
      <Form form={form} submitLabel="Add project">
        <TextField form={form} name="name" label="Name" />
      </Form>
    </Dialog>
  );
}

/** Opens a dialog with changed text, and the question that Escape asks. */
function Hosted() {
  const open = useDialogHost();
  useEffect(() => {
    open(() => <NameDialog name="Half a project" />);
    const timer = setTimeout(() => {
      document.querySelector<HTMLElement>('.dialog-head [aria-label="Close"]')?.click();
    }, 100);
    return () => clearTimeout(timer);
  }, [open]);
  return null;
}

type Sample = { version: string; name: string };

function Edited() {
  const edit = useEdit<Sample>({ version: "1", name: "Website" }, [
    { label: "Name", names: ["name"], show: ({ name }) => name },
  ]);
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const current: Sample = { version: "2", name: "Website relaunch 2027" };
    void edit.save({ name: "Website relaunch" }, () =>
      Promise.reject(new Problem(412, { code: "changed_meanwhile", detail: "Changed.", current })),
    );
  });
  return null;
}

function ToastSample() {
  useEffect(() => {
    toast("Entry deleted.", { label: "Undo", onAction: nothing });
    // A toast with the focus stays.
    const timer = setInterval(() => document.querySelector<HTMLElement>(".toast-action")?.focus(), 50);
    return () => clearInterval(timer);
  }, []);
  return null;
}
