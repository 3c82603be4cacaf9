import type { View as AllowList } from "@svc/core/identity/ip-allowlist/ip-allowlist";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { get, Problem, put } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** The addresses from which this workspace may be reached. */
export function AllowListSection() {
  const { workspace } = useCurrentUser();
  const query = useQuery({
    queryKey: ["ip-allowlist", workspace.id],
    queryFn: ({ signal }) => get<AllowList>("/api/v1/security/ip-allowlist", { signal }),
    // What is being edited is not replaced under somebody's hands.
    refetchOnWindowFocus: false,
  });
  return (
    <section aria-labelledby="allow-list">
      <h2 id="allow-list">Addresses</h2>
      <p>
        With the list on, this workspace is reached from these addresses alone, by people and by programs.
        Everybody’s own account is reached from anywhere.
      </p>
      <Loaded query={query}>{(list) => <Editor list={list} />}</Loaded>
    </section>
  );
}

type Row = { key: number; cidr: string; label: string };

function Editor({ list }: { list: AllowList }) {
  const { workspace } = useCurrentUser();
  const client = useQueryClient();
  const nextKey = useRef(list.entries.length);
  const [enabled, setEnabled] = useState(list.enabled);
  const [rows, setRows] = useState<Row[]>(() => list.entries.map((entry, key) => ({ key, ...entry })));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [sure, setSure] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const change = (key: number, part: Partial<Row>) => {
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
    setErrors({});
  };

  function add(): void {
    setRows([...rows, { key: nextKey.current++, cidr: "", label: "" }]);
    requestAnimationFrame(() => {
      form.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus();
    });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    // From now on people are refused: that is asked about once more.
    if (enabled && !list.enabled) setSure(true);
    else void save();
  }

  async function save(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setErrors({});
    setFailure(undefined);
    try {
      const saved = await put<AllowList>("/api/v1/security/ip-allowlist", {
        enabled,
        entries: rows.map(({ cidr, label }) => ({ cidr, label })),
      });
      setRows(saved.entries.map((entry) => ({ key: nextKey.current++, ...entry })));
      client.setQueryData(["ip-allowlist", workspace.id], saved);
      toast(saved.enabled ? "The list is saved and on." : "The list is saved. It is off.");
    } catch (problem) {
      show(problem);
    } finally {
      setSure(false);
      setBusy(false);
    }
  }

  /** `/entries/2/cidr` is the address of the third row. */
  function show(problem: unknown): void {
    const named = problem instanceof Problem ? problem.errors : [];
    const placed = named.flatMap(({ pointer, detail }) => {
      const [, at, field] = /^\/entries\/(\d+)\/(cidr|label)$/.exec(pointer ?? "") ?? [];
      const row = rows[Number(at)];
      return row ? [[`${row.key} ${field}`, detail] as const] : [];
    });
    setErrors(Object.fromEntries(placed));
    if (placed.length === 0) setFailure(problem);
    const [first] = placed;
    if (first)
      requestAnimationFrame(() => {
        form.current?.querySelector<HTMLElement>(`[name="${first[0]}"]`)?.focus();
      });
  }

  return (
    <>
      {list.warnings.map(({ code, detail }) => (
        <p key={code} className="notice" data-look="bad">
          {detail}
        </p>
      ))}
      <form ref={form} className="form wide-form" noValidate onSubmit={submit}>
        <Failure error={failure} />
        <label className="check">
          <input type="checkbox" checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
          Let people in from these addresses only
        </label>
        {rows.length === 0 ? (
          <p className="hint">No address is on the list yet.</p>
        ) : (
          <ul className="addresses" aria-label="Addresses">
            {rows.map((row, index) => (
              <li key={row.key}>
                <Cell
                  label={`Address or range ${index + 1}`}
                  name={`${row.key} cidr`}
                  placeholder="203.0.113.0/24"
                  value={row.cidr}
                  error={errors[`${row.key} cidr`]}
                  onChange={(cidr) => change(row.key, { cidr })}
                />
                <Cell
                  label={`What it is ${index + 1}`}
                  name={`${row.key} label`}
                  placeholder="Office"
                  value={row.label}
                  error={errors[`${row.key} label`]}
                  onChange={(label) => change(row.key, { label })}
                />
                <Button
                  look="quiet"
                  aria-label={`Remove ${row.cidr || `address ${index + 1}`}`}
                  onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <p className="hint">
          An IPv4 or IPv6 address, such as 203.0.113.7, or a range, such as 2001:db8::/32. Your own address
          has to be among them.
        </p>
        <div className="row">
          <Button type="submit" look="primary" busy={busy}>
            Save the list
          </Button>
          <Button onClick={add}>Add an address</Button>
        </div>
      </form>
      {sure && (
        <ConfirmDialog
          title="Turn the list on?"
          confirmLabel="Turn it on"
          busy={busy}
          onConfirm={() => void save()}
          onClose={() => setSure(false)}
        >
          <p>
            From now on whoever calls from elsewhere is refused in this workspace, those who are working now
            included. Admins with a second factor can get in for an hour by emergency access; every admin is
            told of it.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Cell({
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
