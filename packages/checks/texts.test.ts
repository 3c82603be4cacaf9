import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { messagesOf, messagesUsedIn, textsIn } from "../web/testing/texts.ts";
import { listFiles, readText } from "./sources.ts";

const source = "packages/web/src/";
const modules = listFiles(".ts", ".tsx").filter(
  (file) => file.startsWith(source) && !file.includes(".test."),
);
const isMessages = (file: string) => file.endsWith("messages.ts");

describe("the texts of the web client", () => {
  it("stand in the messages of their feature", () => {
    const found = modules
      .filter((file) => !isMessages(file))
      .flatMap((file) => textsIn(file, readText(file)).map(({ line, text }) => `${file}:${line}: ${text}`));
    expect(found).toEqual([]);
  });

  it("are all used", () => {
    const used = modules.flatMap((file) =>
      messagesUsedIn(file, readText(file)).map(
        ({ from, path }) => `${posix.join(posix.dirname(file), from)} ${path}`,
      ),
    );
    const unused = modules
      .filter(isMessages)
      .flatMap((file) => messagesOf(file, readText(file)).map((path) => `${file} ${path}`))
      .filter((text) => !used.some((one) => text === one || text.startsWith(`${one}.`)));
    expect(unused).toEqual([]);
  });
});

describe("the check itself", () => {
  it.each([
    ["markup", "<p>Saved</p>", "Saved"],
    ["a string in markup", '<p>{done ? "saved" : name}</p>', "saved"],
    ["a joined string in markup", '<p>{"by " + name}</p>', "by"],
    ["a label", '<Field label="Name" />', "Name"],
    ["an accessible name", '<button aria-label={"Delete " + name} />', "Delete"],
    ["a placeholder", '<input placeholder={empty || "none"} />', "none"],
    ["the label of an option", 'const options = [{ value: "", label: "All" }];', "All"],
    ["a toast", 'toast("saved");', "saved"],
    ["a sentence", 'const hint = locked ? "Time is locked." : "";', "Time is locked."],
  ])("finds %s", (_, code, text) => {
    expect(textsIn("sample.tsx", `const a = 1;\n${code}`)).toEqual([{ line: 2, text }]);
  });

  it.each([
    ["names of classes and other attributes", '<p className="hint" role="status" />'],
    ["messages", "<p title={messages.title}>{messages.text(name)}</p>"],
    ["signs and spaces", '<p>{name} · {"–"}</p>'],
    ["errors for developers", 'throw new Error("The browser has no canvas.");'],
    ["comparisons", '<p>{kind === "change" && name}</p>'],
  ])("finds nothing in %s", (_, code) => {
    expect(textsIn("sample.tsx", code)).toEqual([]);
  });

  it("lists the texts of a module, and those that another one uses", () => {
    const texts =
      "export const messages = { a: 'x', b: { c: (n: string) => n, d: 'y' }, e: { f: 'z' }, g: 'w' };";
    expect(messagesOf("messages.ts", texts)).toEqual([
      "messages.a",
      "messages.b.c",
      "messages.b.d",
      "messages.e.f",
      "messages.g",
    ]);
    const user = `
      import { messages as texts } from "./messages.ts";
      const part = texts.b;
      const { e } = texts;
      show(texts.a, part.c("1"), e[kind], { g: other.g });`;
    expect(messagesUsedIn("user.ts", user).map(({ path }) => path)).toEqual([
      "messages.a",
      "messages.b.c",
      "messages.e",
    ]);
  });
});
