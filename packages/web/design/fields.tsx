import { Folder } from "lucide-react";
import { useState } from "react";
import { Problem } from "../src/base/api.ts";
import { ComboBox } from "../src/ui/combo-box.tsx";
import { ComboField } from "../src/ui/combo-field.tsx";
import { ComboFilter } from "../src/ui/combo-filter.tsx";
import { DateField, DateTimeField } from "../src/ui/date-field.tsx";
import { DateFilter } from "../src/ui/date-filter.tsx";
import { PickChip } from "../src/ui/filter-chip.tsx";
import { FilterBar, SelectFilter, TextFilter, useFilters } from "../src/ui/filters.tsx";
import {
  CheckField,
  DecimalField,
  Form,
  SelectField,
  TextArea,
  TextField,
  useForm,
} from "../src/ui/form.tsx";
import { SuggestField } from "../src/ui/suggest-field.tsx";
import { forcedStates, nothing, Section } from "./section.tsx";

/** An answer of the API that no field of the form below is right. */
export const rejected = new Problem(422, {
  detail: "Validation failed.",
  errors: [
    "name Name is required.",
    "email Email must contain an @.",
    "rate Rate must be a number such as 120.50.",
    "currency Choose a currency.",
    "zone Choose a time zone.",
    "day Day must be after 2026-11-01.",
    "start Start must be before the end.",
    "note Note is too long.",
    "billable Allow cookies first.",
  ].map((text) => {
    const [name = ""] = text.split(" ");
    return { code: "invalid", pointer: `/${name}`, detail: text.slice(name.length + 1) };
  }),
});

export const currencies = [
  { value: "EUR", label: "Euro" },
  { value: "CHF", label: "Swiss franc" },
  { value: "JPY", label: "Japanese yen" },
];

export const zones = ["Africa/Cairo", "America/New York", "Asia/Tokyo", "Europe/London", "Europe/Zurich"].map(
  (zone) => ({ value: zone, label: zone }),
);

/** Fields as they are at first, with errors, in the states of the pointer and the focus, and disabled. */
export function Fields() {
  return (
    <Section title="Fields">
      <FieldSamples submitLabel="Show errors" />
      {forcedStates.slice(0, 2).map((state) => (
        <div key={state} data-forced={state}>
          <p className="hint">{state}</p>
          <FieldSamples submitLabel="Save" />
        </div>
      ))}
      <p className="hint">disabled</p>
      <div className="design-fields">
        <label className="field">
          <span className="label">Text</span>
          <input disabled defaultValue="Cannot be changed" />
        </label>
        <label className="field">
          <span className="label">Select</span>
          <select disabled>
            <option>Euro</option>
          </select>
        </label>
        <div className="field">
          <ComboBox label="Combo box" options={zones} value="Europe/Zurich" onChange={nothing} disabled />
        </div>
        <label className="field">
          <span className="label">Long text</span>
          <textarea disabled defaultValue="Cannot be changed" />
        </label>
        <label className="check">
          <input type="checkbox" disabled /> Not checked
        </label>
        <label className="check">
          <input type="checkbox" disabled checked readOnly /> Checked
        </label>
        <label className="check">
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = true;
            }}
          />
          Some of them
        </label>
      </div>
      <FilterSamples />
    </Section>
  );
}

function FieldSamples({ submitLabel }: { submitLabel: string }) {
  const initial = {
    name: "Website relaunch",
    email: "",
    rate: "120.50",
    currency: "EUR",
    zone: "Europe/Zurich",
    note: "",
    billable: true,
    archived: false,
    day: "2026-11-19",
    start: "2026-11-19T09:30",
    color: "#2f7fe6",
  };
  const form = useForm(initial, () => Promise.reject(rejected));
  return (
    <Form form={form} submitLabel={submitLabel} wide>
      <div className="design-fields">
        <TextField form={form} name="name" label="Name" required />
        <TextField
          form={form}
          name="email"
          label="Email"
          hint="Only admins see it."
          placeholder="sofia@example.com"
        />
        <DecimalField form={form} name="rate" label="Rate" />
        <SelectField form={form} name="currency" label="Currency" options={currencies} />
        <ComboField form={form} name="zone" label="Time zone" options={zones} />
        <DateField form={form} name="day" label="Day" />
        <DateTimeField form={form} name="start" label="Start" />
        <TextField form={form} name="color" label="Color" type="color" />
        <TextArea form={form} name="note" label="Note" />
        <CheckField form={form} name="billable" label="Billable" hint="Counts as revenue." />
        <CheckField form={form} name="archived" label="Archived" />
      </div>
    </Form>
  );
}

function FilterSamples() {
  const filters = useFilters({ project: "", person: "sofia", status: "", from: "", search: "" });
  return (
    <>
      <p className="hint">filters</p>
      <div className="filter-chips">
        <ChipSample name="project" filters={filters} />
        <ChipSample name="person" filters={filters} />
      </div>
      <FilterBar filters={filters} more={<DateFilter filters={filters} name="from" label="From" />} moreOpen>
        <TextFilter filters={filters} name="search" label="Search" placeholder="Name or client" />
        <SelectFilter
          filters={filters}
          name="status"
          label="Status"
          options={[
            { value: "", label: "Active" },
            { value: "archived", label: "Archived" },
          ]}
        />
        <ComboFilter
          filters={filters}
          name="project"
          label="Project"
          options={[{ value: "", label: "All" }]}
        />
      </FilterBar>
    </>
  );
}

/** A chip of a filter with two options. */
export function ChipSample({
  name,
  filters,
}: {
  name: "project" | "person";
  filters: Parameters<typeof PickChip<"project" | "person">>[0]["filters"];
}) {
  return (
    <PickChip
      filters={filters}
      name={name}
      label={name === "project" ? "Project" : "Person"}
      Icon={Folder}
      options={[
        { id: "sofia", text: "Sofia Keller" },
        { id: "jonas", text: "Jonas Frei" },
      ]}
      removeLabel={`Remove ${name}`}
      empty="Nothing matches."
    />
  );
}

/** The field for the description of a timer. */
export function SuggestSample() {
  const [text, setText] = useState("Website");
  return (
    <SuggestField
      label="What are you working on?"
      shortcut="n"
      value={text}
      suggestions={["Website relaunch", "Website texts"].map((name) => ({ id: name, content: name }))}
      onChange={setText}
      onPick={({ id }) => setText(id)}
      onEnter={nothing}
      onEscape={nothing}
      onFocus={nothing}
      onBlur={nothing}
      maxLength={200}
    />
  );
}
