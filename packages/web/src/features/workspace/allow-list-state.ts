import type { IpAllowlist } from "@svc/client";
import { type FieldError, Problem } from "../../base/api.ts";
import type { Fields } from "../../base/drafts.ts";

type Column = "cidr" | "label";

export type AllowListRow = { key: number } & Record<Column, string>;

/** The unsaved state of the IP allowlist form. */
export type AllowListState = {
  enabled: boolean;
  rows: readonly AllowListRow[];
  nextKey: number;
  /** Error messages by input name. */
  errors: Record<string, string>;
  /** The error that belongs to no input. */
  failure: unknown;
  /** True while the user is asked whether to turn the list on. */
  confirming: boolean;
  saving: boolean;
  /** True while the form has changes that were made before a reload. */
  restored: boolean;
};

type AllowListAction =
  | { type: "enable"; enabled: boolean }
  | { type: "add" }
  | { type: "edit"; key: number; column: Column; value: string }
  | { type: "remove"; key: number }
  | { type: "confirm" }
  | { type: "cancel" }
  | { type: "save" }
  | { type: "saved"; list: IpAllowlist }
  | { type: "replaced"; list: IpAllowlist }
  | { type: "failed"; error: unknown };

/** Returns the state of an unchanged form. */
export function initialState({ enabled, entries }: IpAllowlist, firstKey = 0): AllowListState {
  return {
    enabled,
    rows: entries.map(({ cidr, label }, index) => ({ key: firstKey + index, cidr, label })),
    nextKey: firstKey + entries.length,
    errors: {},
    failure: undefined,
    confirming: false,
    saving: false,
    restored: false,
  };
}

/** Returns the unsaved changes, for `restoredState`. */
export function unsavedFields({ enabled, rows }: AllowListState, saved: IpAllowlist): Fields {
  const entries = JSON.stringify(rows.map(({ cidr, label }) => ({ cidr, label })));
  const before = JSON.stringify(saved.entries.map(({ cidr, label }) => ({ cidr, label })));
  return { ...(enabled !== saved.enabled && { enabled }), ...(entries !== before && { entries }) };
}

/** Returns the state of a form with the changes of `unsavedFields`. */
export function restoredState(saved: IpAllowlist, { enabled, entries }: Fields): AllowListState {
  const changed = {
    ...saved,
    ...(enabled !== undefined && { enabled: enabled === true }),
    ...(entries !== undefined && { entries: JSON.parse(String(entries)) as IpAllowlist["entries"] }),
  };
  return { ...initialState(changed), restored: enabled !== undefined || entries !== undefined };
}

/** Returns the next state of the form. */
export function reduce(state: AllowListState, action: AllowListAction): AllowListState {
  const { rows, nextKey } = state;
  switch (action.type) {
    case "enable":
      return { ...state, enabled: action.enabled };
    case "add":
      return { ...state, rows: [...rows, { key: nextKey, cidr: "", label: "" }], nextKey: nextKey + 1 };
    case "edit": {
      const { key, column, value } = action;
      const edited = rows.map((row) => (row.key === key ? { ...row, [column]: value } : row));
      return { ...state, rows: edited, errors: {} };
    }
    case "remove":
      return { ...state, rows: rows.filter(({ key }) => key !== action.key) };
    case "confirm":
      return { ...state, confirming: true };
    case "cancel":
      return { ...state, confirming: false };
    case "save":
      return { ...state, saving: true, errors: {}, failure: undefined };
    case "saved":
      return initialState({ ...action.list, enabled: state.enabled }, nextKey);
    case "replaced":
      return initialState(action.list, nextKey);
    case "failed": {
      const errors = errorsByInput(action.error, rows);
      const failure = Object.keys(errors).length === 0 ? action.error : undefined;
      return { ...state, errors, failure, confirming: false, saving: false };
    }
  }
}

/** Returns the name of the input of a row's column. */
export function inputName({ key }: AllowListRow, column: Column): string {
  return `${key} ${column}`;
}

/** Assigns the API's errors to inputs. The pointer `/entries/2/cidr` is the column `cidr` of the third row. */
export function errorsByInput(error: unknown, rows: readonly AllowListRow[]): Record<string, string> {
  const fields: readonly FieldError[] = error instanceof Problem ? error.errors : [];
  const entries = fields.flatMap(({ pointer, detail }) => {
    const [, index, column] = /^\/entries\/(\d+)\/(cidr|label)$/.exec(pointer ?? "") ?? [];
    const row = rows[Number(index)];
    return row ? [[inputName(row, column as Column), detail] as const] : [];
  });
  return Object.fromEntries(entries);
}
