import { parseSync } from "vite";

/** A text for people that stands in a module instead of the messages of its feature. */
export type Finding = { line: number; text: string };

type Node = { type: string; start: number; [field: string]: unknown };

/** Attributes and fields whose text people read, or hear from a screen reader. */
const spoken =
  /^(?:label|title|heading|caption|legend|hint|placeholder|alt|\w+Label|aria-(?:label|description|roledescription|valuetext))$/;

/** A capitalized word before another word, or at the end of a sentence. */
const sentence = /(?:^|\s)\p{Lu}\p{Ll}+(?:,? \p{L}|[.?!…]$)/u;

/** Texts that are the same in every language, and a sentence of the API that the client removes. */
const exceptions = new Set(["https://example.com/hooks", "svc_pat_…", "See `errors` for the fields to fix."]);

/** Lists the texts for people in a module: in markup, in attributes and fields that name something, and whole sentences. */
export function textsIn(file: string, source: string): Finding[] {
  const found = new Map<number, string>();
  const report = (node: Node, raw: string) => {
    const text = raw.replace(/\s+/g, " ").trim();
    if (/\p{L}/u.test(text.replace(/&\w+;/g, "")) && !exceptions.has(text)) found.set(node.start, text);
  };
  visit(parsed(file, source), (node) => {
    if (node.type === "JSXText") report(node, String(node.value));
    const text = textOf(node);
    if (text !== undefined && sentence.test(text)) report(node, text);
    for (const shown of shownBy(node)) forEachText(shown, report);
  });
  return [...found].map(([start, text]) => ({ line: source.slice(0, start).split("\n").length, text }));
}

/** Returns the expressions of a node whose strings are shown. */
function shownBy(node: Node): unknown[] {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
      return (node.children as Node[])
        .filter(({ type }) => type === "JSXExpressionContainer")
        .map((child) => child.expression);
    case "JSXAttribute":
      return spoken.test(nameOf(node.name)) ? [node.value] : [];
    case "Property":
      return spoken.test(nameOf(node.key)) ? [node.value] : [];
    case "CallExpression":
      return nameOf(node.callee) === "toast" ? (node.arguments as unknown[]) : [];
    default:
      return [];
  }
}

/** Visits the strings that an expression can result in. */
function forEachText(node: unknown, see: (node: Node, text: string) => void): void {
  if (!isNode(node)) return;
  const text = textOf(node);
  if (text !== undefined) see(node, text);
  const results: Readonly<Record<string, readonly string[]>> = {
    JSXExpressionContainer: ["expression"],
    ArrowFunctionExpression: ["body"],
    ConditionalExpression: ["consequent", "alternate"],
    // The left side of `&&` is a condition.
    LogicalExpression: node.operator === "&&" ? ["right"] : ["left", "right"],
    BinaryExpression: node.operator === "+" ? ["left", "right"] : [],
  };
  for (const part of results[node.type] ?? []) forEachText(node[part], see);
}

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  return (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join("…");
}

/** Lists the path of each text of a module of messages, such as `messages.dialog.title`. */
export function messagesOf(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (path: string, value: unknown) => {
    if (isNode(value) && value.type === "ObjectExpression")
      for (const property of value.properties as Node[])
        add(`${path}.${nameOf(property.key)}`, property.value);
    else found.push(path);
  };
  visit(parsed(file, source), (node) => {
    if (node.type !== "ExportNamedDeclaration" || !isNode(node.declaration)) return;
    for (const { id, init } of (node.declaration.declarations ?? []) as { id: Node; init: unknown }[])
      if (isNode(init) && init.type === "ObjectExpression") add(nameOf(id), init);
  });
  return found;
}

/**
 * Lists the paths that a module uses of the messages that it imports, by the specifier of the import. The path of an object
 * stands for everything in it.
 */
export function messagesUsedIn(file: string, source: string): { from: string; path: string }[] {
  const program = parsed(file, source);
  /** The messages that a name of the module stands for. */
  const names = new Map<string, { from: string; path: string }>();
  visit(program, (node) => {
    if (node.type !== "ImportDeclaration") return;
    const from = nameOf(node.source);
    if (!from.endsWith("messages.ts")) return;
    for (const { local, imported } of node.specifiers as { local: Node; imported: Node }[])
      names.set(nameOf(local), { from, path: nameOf(imported) });
  });
  if (names.size === 0) return [];
  const resolve = (node: unknown): { from: string; path: string } | undefined => {
    if (!isNode(node)) return undefined;
    if (node.type === "Identifier") return names.get(nameOf(node));
    if (node.type !== "MemberExpression") return undefined;
    const object = resolve(node.object);
    const computed = node.computed === true && (node.property as Node).type !== "Literal";
    return object && !computed ? { ...object, path: `${object.path}.${nameOf(node.property)}` } : object;
  };
  /** Declarations such as `const text = messages.dialog` and `const { dialog } = messages`, which name parts of the messages. */
  const declarations = new Set<Node>();
  visit(program, (node) => {
    if (node.type !== "VariableDeclarator" || hasComputed(node.init)) return;
    const part = resolve(node.init);
    if (!part) return;
    declarations.add(node);
    const { type, properties } = node.id as Node;
    if (type !== "ObjectPattern") names.set(nameOf(node.id), part);
    else
      for (const { key, value } of properties as Node[])
        names.set(nameOf(value), { ...part, path: `${part.path}.${nameOf(key)}` });
  });
  const used: { from: string; path: string }[] = [];
  const collect = (node: Node): void => {
    if (node.type === "ImportDeclaration" || declarations.has(node)) return;
    const path = resolve(node);
    if (path) used.push(path);
    // The object of a member is part of its path, and names of properties are no uses.
    for (const child of childrenOf(node))
      if (!(path && child === node.object) && !isName(node, child)) collect(child);
  };
  collect(program);
  return used;
}

function hasComputed(node: unknown): boolean {
  return (
    isNode(node) && node.type === "MemberExpression" && (node.computed === true || hasComputed(node.object))
  );
}

function isName(parent: Node, child: Node): boolean {
  if (parent.computed === true || parent.shorthand === true) return false;
  return (
    (parent.type === "MemberExpression" && child === parent.property) ||
    (parent.type === "Property" && child === parent.key)
  );
}

function parsed(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  return program as unknown as Node;
}

/** Visits a node and those in it, except errors for developers, imports and types. */
function visit(node: Node, see: (node: Node) => void): void {
  if (node.type === "NewExpression" && nameOf(node.callee).endsWith("Error")) return;
  see(node);
  if (node.type === "ImportDeclaration" || node.type.startsWith("TSType")) return;
  for (const child of childrenOf(node)) visit(child, see);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function nameOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown };
  return typeof name === "string" ? name : isNode(name) ? "" : String(value ?? "");
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
