import type { IpAllowlist } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useMemo, useReducer, useRef } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { readDraft } from "../../base/drafts.ts";
import type { Part } from "../../base/versions.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { RestoredNotice, useDraft } from "../../ui/draft.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import {
  type AllowListRow,
  errorsByInput,
  inputName,
  reduce,
  restoredState,
  unsavedFields,
} from "./allow-list-state.ts";
import "./allow-list.css";
import { number } from "../../base/format.ts";
import { messages } from "./messages.ts";

/** The IP addresses from which the workspace can be accessed. */
export function AllowListSection() {
  const { workspace } = useCurrentUser();
  const query = useQuery({
    queryKey: ["ip-allowlist", workspace.id],
    queryFn: ({ signal }) => svc.get("/api/v1/security/ip-allowlist", { signal }),
    // A refetch must not replace unsaved changes.
    refetchOnWindowFocus: false,
  });
  return (
    <section aria-labelledby="allow-list">
      <h2 id="allow-list">{messages.security.allowList.title}</h2>
      <p>{messages.security.allowList.lead}</p>
      <Loaded query={query}>{(list) => <AllowListForm list={list} />}</Loaded>
    </section>
  );
}

/** The parts of an allowlist that people compare. */
const allowListParts: Part<IpAllowlist>[] = [
  {
    label: messages.security.allowList.enabled,
    names: ["enabled"],
    show: ({ enabled }) => (enabled ? messages.yes : messages.no),
  },
  {
    label: messages.security.allowList.entries,
    names: ["entries"],
    show: ({ entries }) =>
      entries
        .map(({ cidr, label }) => (label ? messages.security.allowList.entry(cidr, label) : cidr))
        .join("\n"),
  },
];

function AllowListForm({ list }: { list: IpAllowlist }) {
  const { workspace } = useCurrentUser();
  const client = useQueryClient();
  const draft = `allow-list ${workspace.id}`;
  const [state, dispatch] = useReducer(reduce, list, (saved) =>
    restoredState(saved, readDraft(draft).fields),
  );
  useDraft(
    draft,
    useMemo(() => unsavedFields(state, list), [state, list]),
  );
  const form = useRef<HTMLFormElement>(null);
  const edit = useEdit(list, allowListParts);
  const focus = (selector: string) =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus());

  function add(): void {
    dispatch({ type: "add" });
    focus("li:last-child input");
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (state.enabled && !list.enabled) dispatch({ type: "confirm" });
    else void save();
  }

  async function save(): Promise<void> {
    if (state.saving) return;
    dispatch({ type: "save" });
    try {
      const changes = {
        enabled: state.enabled,
        entries: state.rows.map(({ cidr, label }) => ({ cidr, label })),
      };
      const { resource, saved } = await edit.save(changes, (changes, ifMatch) =>
        svc.put("/api/v1/security/ip-allowlist", { body: changes, ifMatch }),
      );
      dispatch({ type: saved ? "saved" : "replaced", list: resource });
      client.setQueryData(["ip-allowlist", workspace.id], resource);
      if (saved)
        toast(resource.enabled ? messages.security.allowList.savedOn : messages.security.allowList.savedOff);
    } catch (error) {
      dispatch({ type: "failed", error });
      const [first] = Object.keys(errorsByInput(error, state.rows));
      if (first) focus(`[name="${first}"]`);
    }
  }

  return (
    <>
      {list.warnings.map(({ code, detail }) => (
        <p key={code} className="notice" data-look="bad">
          {detail}
        </p>
      ))}
      <form ref={form} className="form allow-list" noValidate onSubmit={submit}>
        <Failure error={state.failure} />
        {state.restored && <RestoredNotice onDiscard={() => dispatch({ type: "replaced", list })} />}
        <label className="check">
          <input
            type="checkbox"
            checked={state.enabled}
            onChange={({ target }) => dispatch({ type: "enable", enabled: target.checked })}
          />
          {messages.security.allowList.enabled}
        </label>
        <Rows
          rows={state.rows}
          errors={state.errors}
          onEdit={({ key }, column, value) => dispatch({ type: "edit", key, column, value })}
          onRemove={({ key }) => dispatch({ type: "remove", key })}
        />
        <p className="hint">{messages.security.allowList.hint}</p>
        <div className="row">
          <Button type="submit" look="primary" busy={state.saving}>
            {messages.security.allowList.save}
          </Button>
          <Button onClick={add}>{messages.security.allowList.add}</Button>
        </div>
      </form>
      {state.confirming && (
        <ConfirmAction
          title={messages.security.allowList.question}
          confirmLabel={messages.security.allowList.confirm}
          action={save}
          // The outcome of saving closes the dialog: errors are shown at the form.
          onDone={() => {}}
          onClose={() => dispatch({ type: "cancel" })}
        >
          <p>{messages.security.allowList.warning}</p>
        </ConfirmAction>
      )}
    </>
  );
}

function Rows({
  rows,
  errors,
  onEdit,
  onRemove,
}: {
  rows: readonly AllowListRow[];
  errors: Record<string, string>;
  onEdit: (row: AllowListRow, column: "cidr" | "label", value: string) => void;
  onRemove: (row: AllowListRow) => void;
}) {
  if (rows.length === 0) return <p className="hint">{messages.security.allowList.none}</p>;
  return (
    <ul className="allow-list-rows" aria-label={messages.security.allowList.entries}>
      {rows.map((row, index) => (
        <li key={row.key}>
          <Input
            label={messages.security.allowList.range(number(index + 1))}
            name={inputName(row, "cidr")}
            placeholder="203.0.113.0/24"
            value={row.cidr}
            error={errors[inputName(row, "cidr")]}
            onChange={(value) => onEdit(row, "cidr", value)}
          />
          <Input
            label={messages.security.allowList.label(number(index + 1))}
            name={inputName(row, "label")}
            placeholder={messages.security.allowList.labelExample}
            value={row.label}
            error={errors[inputName(row, "label")]}
            onChange={(value) => onEdit(row, "label", value)}
          />
          <Button
            look="quiet"
            aria-label={
              row.cidr
                ? messages.security.allowList.removeOne(row.cidr)
                : messages.security.allowList.removeEmpty(number(index + 1))
            }
            onClick={() => onRemove(row)}
          >
            {messages.security.allowList.remove}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Input({
  label,
  name,
  value,
  placeholder,
  error,
  onChange,
}: {
  label: string;
  name: string;
  value: string;
  placeholder: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <input
        aria-label={label}
        name={name}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
      {error && (
        <p className="error" id={id}>
          {error}
        </p>
      )}
    </div>
  );
}
