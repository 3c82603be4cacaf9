import { Pencil, Play, Plus, Square, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../src/ui/button.tsx";
import { CopyButton } from "../src/ui/copy-button.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { Menu } from "../src/ui/menu.tsx";
import { Segmented } from "../src/ui/segmented.tsx";
import { Pagination } from "../src/ui/table.tsx";
import { Tabs } from "../src/ui/tabs.tsx";
import { Forced, forcedStates, nothing, Section } from "./section.tsx";

const looks = ["primary", "plain", "quiet", "danger", "ink"] as const;

/** The items of the menus of this page. */
export const menuItems = [
  { label: "Edit", Icon: Pencil, onSelect: nothing },
  { label: "Delete", Icon: Trash2, onSelect: nothing, danger: true },
];

/** Buttons, menus, tabs and other controls that start something, in their states. */
export function Actions() {
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
            Save changes
          </Button>
          <Button look={look} busy>
            <Plus /> Add entry
          </Button>
        </div>
      ))}
      {forcedStates.map((state) => (
        <Forced key={state} state={state}>
          {looks.map((look) => (
            <Button key={look} look={look}>
              Save changes
            </Button>
          ))}
        </Forced>
      ))}
      <div className="design-row">
        <Others />
      </div>
      {forcedStates.map((state) => (
        <Forced key={state} state={state}>
          <Others />
        </Forced>
      ))}
      <TabsSample />
      <div data-forced="focus">
        <TabsSample />
      </div>
      <Pagination page={1} totalPages={4} onPage={nothing} />
    </Section>
  );
}

/** Controls that are not buttons of one of the looks. */
function Others() {
  const [period, setPeriod] = useState<"day" | "week">("week");
  return (
    <>
      <IconButton label="Start timer">
        <Play data-filled="" />
      </IconButton>
      <IconButton label="Stop timer" look="ink">
        <Square data-filled="" />
      </IconButton>
      <IconButton label="Edit" size="small">
        <Pencil />
      </IconButton>
      <IconButton label="Delete" disabled>
        <Trash2 />
      </IconButton>
      <IconButton label="Add" busy>
        <Plus />
      </IconButton>
      <Menu label="Actions" items={menuItems}>
        Menu
      </Menu>
      <button type="button" className="link">
        Link button
      </button>
      <a href="#tokens">Link to a page</a>
      <CopyButton text="whsec_0123456789" label="Copy" />
      <Segmented
        label="Period"
        value={period}
        onChange={setPeriod}
        options={[
          { value: "day", label: "Day" },
          { value: "week", label: "Week" },
        ]}
      />
    </>
  );
}

function TabsSample() {
  return (
    <Tabs
      label="Tabs"
      tabs={[
        { id: "one", label: "Profile", content: () => <p>The content of the first tab.</p> },
        { id: "two", label: "Security", content: () => <p>The content of the second tab.</p> },
      ]}
    />
  );
}
