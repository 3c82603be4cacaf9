import { loadModule, parseSync } from "libpg-query";

await loadModule();

type Node = Record<string, unknown>;

/** The answer of Aurora DSQL to a statement. */
export type Examined = {
  effect: "read" | "write" | "define" | "begin" | "end";
  /** Why Aurora DSQL would refuse the statement; empty if it would not. */
  violations: readonly string[];
};

const words = (list: string) => new Set(list.trim().split(/\s+/));

/** The column types that are used. Aurora DSQL supports more, but no arrays, inet, enums or ranges. */
const columnTypes = words("text bool int4 int8 numeric timestamptz date json jsonb");
/** Types that Aurora DSQL supports only within queries, like arrays. */
const queryTypes = words("interval regclass");
const maxKeyColumns = 8;
const constraints = words("CONSTR_PRIMARY CONSTR_UNIQUE CONSTR_NOTNULL CONSTR_DEFAULT");

/**
 * The parts of a statement that are known to work, as nodes of PostgreSQL's syntax tree. Not among them, because Aurora DSQL
 * refuses them: TruncateStmt, ListenStmt, NotifyStmt, LockStmt, MergeStmt, CreateSeqStmt, CreateTrigStmt, CreateEnumStmt,
 * CreateExtensionStmt, CreateTableAsStmt, VacuumStmt, CollateClause, RangeTableSample. JsonTable and ReturningOption need a
 * later PostgreSQL than the 16 of Aurora DSQL.
 */
const nodes = words(`
  SelectStmt InsertStmt UpdateStmt DeleteStmt TransactionStmt CallStmt
  CreateStmt IndexStmt AlterTableStmt DropStmt
  A_ArrayExpr A_Const A_Expr A_Star AlterTableCmd BoolExpr BooleanTest CaseExpr CaseWhen CoalesceExpr ColumnDef ColumnRef
  CommonTableExpr Constraint DefElem FuncCall IndexElem Integer JoinExpr List LockingClause MinMaxExpr NullTest ParamRef
  RangeFunction RangeSubselect RangeVar ResTarget RowExpr SetToDefault SortBy String SubLink TypeCast TypeName`);

/**
 * The functions that are known to work. The user guide lists no unsupported functions; DSQL runs PostgreSQL 16's except those
 * of missing types and extensions. Two groups need a reason:
 * - `width_bucket` and `unnest` take an array. Arrays are "query runtime data types" of the guide.
 * - `jsonb_array_elements_text` and `jsonb_to_recordset` in FROM are lateral joins. DSQL runs CROSS JOIN LATERAL, but fails
 *   LEFT JOIN LATERAL with 42804, so that is refused below.
 */
const functions = words(`
  bool_or count max min sum row_number
  div extract floor mod now lower lpad md5 right to_hex starts_with translate gen_random_uuid current_schema wait_for_job
  jsonb_array_elements_text jsonb_to_recordset unnest width_bucket`);

/** The operators that are known to work. `@>` of jsonb has no index (DSQL has no GIN), so it only filters other conditions. */
const operators = words("= <> < > <= >= + - * / || @> ~~ ~~*");

const writes = ["InsertStmt", "UpdateStmt", "DeleteStmt"];
const definitions = ["CreateStmt", "IndexStmt", "AlterTableStmt", "DropStmt"];
const outer = ["JOIN_LEFT", "JOIN_RIGHT", "JOIN_FULL"];

/**
 * Examines a statement by the rules of the Aurora DSQL user guide (supported and unsupported SQL, data types, September
 * 2026), as an allow-list: a part of SQL that is not listed here is refused. The rules know only the text, not the schema.
 */
export function examine(sql: string): Examined {
  const asynchronous = /^(\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+)ASYNC\b/i;
  let statements: { stmt: Node }[];
  try {
    statements = (parseSync(sql.replace(asynchronous, "$1")) as { stmts: { stmt: Node }[] }).stmts ?? [];
  } catch (error) {
    return { effect: "read", violations: [`not SQL: ${(error as Error).message}`] };
  }
  const [kind = "", statement = {}] = Object.entries(statements[0]?.stmt ?? {})[0] as [string, Node];
  const parts = [...partsOf(statements.map(({ stmt }) => stmt))];
  const found = [
    ...(statements.length === 1 ? [] : ["not a single statement"]),
    ...(kind === "IndexStmt" && !asynchronous.test(sql) ? ["CREATE INDEX without ASYNC"] : []),
    ...parts.flatMap(([name, part]) => violationsOf(name, part)),
  ];
  return { effect: effectOf(kind, statement, parts), violations: [...new Set(found)] };
}

function effectOf(kind: string, statement: Node, parts: [string, Node][]): Examined["effect"] {
  if (kind === "TransactionStmt")
    return ["TRANS_STMT_BEGIN", "TRANS_STMT_START"].includes(statement.kind as string) ? "begin" : "end";
  if (definitions.includes(kind)) return "define";
  return parts.some(([name]) => writes.includes(name)) ? "write" : "read";
}

/** Returns every node below a value with its name. Types are also found where the tree does not name them. */
function* partsOf(value: unknown): Generator<[string, Node]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (/^[A-Z]/.test(key)) yield [key, child as Node];
    if (key === "typeName" && !Array.isArray(child)) yield ["TypeName", child as Node];
    yield* partsOf(child);
  }
}

function violationsOf(name: string, part: Node): string[] {
  if (!nodes.has(name)) return [`${name} is not known to work`];
  const check = checks[name];
  return check ? check(part) : [];
}

const nameOf = (list: unknown) => (list as { String: { sval: string } }[]).at(-1)?.String.sval ?? "";

const checks: Record<string, (part: Node) => string[]> = {
  TransactionStmt: ({ kind, options = [] }) => [
    ...(/_(BEGIN|START|COMMIT|ROLLBACK)$/.test(kind as string) ? [] : [`${kind} is not supported`]),
    ...(JSON.stringify(options).match(/"(?:serializable|read (?:un)?committed)"/g) ?? []),
  ],
  FuncCall: ({ funcname }) =>
    functions.has(nameOf(funcname)) ? [] : [`function ${nameOf(funcname)} is not known to work`],
  A_Expr: ({ kind, name }) =>
    operators.has(nameOf(name)) || !/_OP/.test(kind as string)
      ? []
      : [`operator ${nameOf(name)} is not known to work`],
  TypeName: ({ names }) =>
    columnTypes.has(nameOf(names)) || queryTypes.has(nameOf(names))
      ? []
      : [`type ${nameOf(names)} is not supported`],
  LockingClause: ({ strength, waitPolicy }) => [
    ...(strength === "LCS_FORUPDATE" || strength === "LCS_FORKEYSHARE"
      ? []
      : ["a lock other than FOR UPDATE or FOR KEY SHARE"]),
    ...(waitPolicy === "LockWaitBlock" ? [] : ["SKIP LOCKED or NOWAIT"]),
  ],
  JoinExpr: ({ jointype, rarg }) => {
    const { RangeFunction, RangeSubselect } = rarg as { RangeFunction?: Node; RangeSubselect?: Node };
    const lateral = RangeFunction || RangeSubselect?.lateral;
    return outer.includes(jointype as string) && lateral ? ["an outer join to LATERAL or to a function"] : [];
  },
  CreateStmt: table,
  IndexStmt: index,
  AlterTableStmt: addition,
  DropStmt: ({ removeType }) =>
    removeType === "OBJECT_TABLE" || removeType === "OBJECT_INDEX" ? [] : [`DROP of ${removeType}`],
};

type Column = {
  colname: string;
  typeName: { names: unknown; arrayBounds?: unknown; typmods?: unknown };
  constraints?: { Constraint: { contype: string } }[];
};

function table({ tableElts = [], relation, partspec, inhRelations }: Node): string[] {
  const found = [];
  if ((relation as Node).relpersistence !== "p") found.push("temporary or unlogged");
  if (partspec || inhRelations) found.push("partitioned or inherited");
  for (const element of tableElts as {
    ColumnDef?: Column;
    Constraint?: { contype: string; keys?: unknown[] };
  }[]) {
    if (element.ColumnDef) found.push(...column(element.ColumnDef));
    const { contype = "", keys = [] } = element.Constraint ?? {};
    if (element.Constraint && !constraints.has(contype)) found.push(contype);
    if (keys.length > maxKeyColumns) found.push("more than 8 columns in a key");
  }
  return found;
}

function column({ colname, typeName, constraints: columnConstraints = [] }: Column): string[] {
  const type = nameOf(typeName.names);
  const found = columnTypes.has(type) ? [] : [`${colname}: type ${type}`];
  if (typeName.arrayBounds) found.push(`${colname}: array`);
  if (type === "numeric" && !typeName.typmods) found.push(`${colname}: numeric without precision and scale`);
  for (const { Constraint } of columnConstraints)
    if (!constraints.has(Constraint.contype)) found.push(`${colname}: ${Constraint.contype}`);
  return found;
}

function index({ accessMethod, indexParams = [], concurrent }: Node): string[] {
  const found = accessMethod !== "btree" || concurrent ? ["USING or CONCURRENTLY"] : [];
  if ((indexParams as unknown[]).length > maxKeyColumns) found.push("more than 8 columns in an index");
  for (const { IndexElem } of indexParams as { IndexElem: Node }[])
    if (IndexElem.ordering !== "SORTBY_DEFAULT" || IndexElem.opclass || IndexElem.collation)
      found.push("a sort order, operator class or collation");
  return found;
}

function addition({ cmds = [] }: Node): string[] {
  return (cmds as { AlterTableCmd: { subtype: string; def: { ColumnDef: Column } } }[]).flatMap(
    ({ AlterTableCmd }) => {
      if (AlterTableCmd.subtype !== "AT_AddColumn") return [AlterTableCmd.subtype];
      const { ColumnDef } = AlterTableCmd.def;
      const found = column(ColumnDef);
      if (ColumnDef.constraints)
        found.push(`${ColumnDef.colname}: an added column must not have DEFAULT or NOT NULL`);
      return found;
    },
  );
}

/** Returns the tables that the INSERTs in a statement write, and the columns that they name. */
export function insertsOf(sql: string): { table: string; columns: string[] }[] {
  return [...partsOf(parseSync(sql))].flatMap(([name, { relation, cols = [] }]) =>
    name === "InsertStmt"
      ? [
          {
            table: (relation as { relname: string }).relname,
            columns: (cols as { ResTarget: { name: string } }[]).map(({ ResTarget }) => ResTarget.name),
          },
        ]
      : [],
  );
}
