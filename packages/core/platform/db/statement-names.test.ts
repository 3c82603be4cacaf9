import { describe, expect, it } from "vitest";
import { isStatementUnusable, maxNames, statementNames } from "./statement-names.ts";

const failure = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { severity: "ERROR", code, ...more });
const stalePlan = failure("0A000", { routine: "RevalidateCachedQuery" });

const select = "select name from users where id = $1";

describe("statementNames", () => {
  it("gives the same text the same name and another text another one, within PostgreSQL's 63 bytes", () => {
    const names = statementNames();
    const name = names.of(select, ["a"]) ?? "";
    expect(names.of(select, ["b"])).toBe(name);
    expect(names.of(`${select} limit 1`, ["a"])).not.toBe(name);
    expect(name.length).toBeLessThan(64);
    expect(statementNames().of(select, ["a"])).toBe(name);
  });

  it.each([
    ["without parameters", "begin", []],
    ["with a list of values", "select name from users where id in ($1, $2)", ["a", "b"]],
    ["with a list of one value", "delete from users where id IN ($1)", ["a"]],
    ["that inserts several rows", "insert into users (id, name) values ($1, $2), ($3, $4)", [1, 2, 3, 4]],
  ])("does not name a statement %s", (_, statement, parameters) => {
    expect(statementNames().of(statement, parameters)).toBeUndefined();
  });

  it("names an insert of one row", () => {
    expect(statementNames().of("insert into users (id, name) values ($1, $2)", [1, 2])).toBeDefined();
  });

  it("names at most maxNames statements", () => {
    const names = statementNames();
    for (let n = 0; n < maxNames; n++) expect(names.of(`${select} limit ${n}`, ["a"])).toBeDefined();
    expect(names.of(select, ["a"])).toBeUndefined();
    expect(names.of(`${select} limit 0`, ["a"])).toBeDefined();
  });

  it("renames all statements once when the schema has changed", () => {
    const names = statementNames();
    const [one = "", other = ""] = [names.of(select, ["a"]), names.of(`${select} limit 1`, ["a"])];
    names.failed(select, one, stalePlan);
    const renamed = names.of(select, ["a"]);
    expect(renamed).not.toBe(one);
    names.failed(`${select} limit 1`, other, stalePlan);
    expect(names.of(select, ["a"])).toBe(renamed);
  });

  it.each(["26000", "42P05"])("names nothing any more after %s, which poolers cause", (code) => {
    const names = statementNames();
    names.failed(select, names.of(select, ["a"]) ?? "", failure(code));
    expect(names.of(select, ["a"])).toBeUndefined();
  });

  it("keeps its names after any other error", () => {
    const names = statementNames();
    const name = names.of(select, ["a"]) ?? "";
    for (const error of [failure("23505"), failure("0A000"), new Error("Connection terminated")])
      names.failed(select, name, error);
    expect(names.of(select, ["a"])).toBe(name);
  });
});

describe("isStatementUnusable", () => {
  it("is true for a plan whose result type has changed, and false for a feature that the server does not have", () => {
    expect(isStatementUnusable(stalePlan)).toBe(true);
    expect(isStatementUnusable(failure("0A000", { routine: "transformFromClause" }))).toBe(false);
    expect(isStatementUnusable(new Error("Connection terminated"))).toBe(false);
  });
});
