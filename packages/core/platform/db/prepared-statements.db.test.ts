import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, inject, it } from "vitest";
import { testPool } from "../../testing/database.ts";
import { administer, databaseUrl } from "../../testing/setup-database.ts";
import { close, connect, db, postgres } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { transaction } from "./transaction.ts";

const template = inject("template");

// PGlite has no prepared statements, so these tests need PostgreSQL (`.ci/with-postgres`).
describe.skipIf(template.kind === "pglite")("prepared statements", () => {
  const name = `svc_prepared_${randomUUID().slice(0, 8)}`;
  const server = template.kind === "postgres" ? template.url : "postgres://none.invalid";
  const url = databaseUrl(server, name);

  async function open(parameter = "") {
    await administer(server, `CREATE DATABASE ${name}`);
    connect(postgres(url + parameter, 1));
    await migrate("postgres", [
      { id: "1-birds", sql: "CREATE TABLE IF NOT EXISTS birds (name text NOT NULL)" },
    ]);
    await sql`INSERT INTO birds (name) VALUES (${"Robin"})`.execute(db());
  }

  /** Changes what `select * from birds` returns, on another connection. */
  const migrateElsewhere = () => administer(url, "ALTER TABLE birds ADD COLUMN color text DEFAULT 'red'");

  const bird = (reader = db()) =>
    sql<{ name: string; color?: string }>`SELECT * FROM birds WHERE name = ${"Robin"}`.execute(reader);

  /** Returns the number of statements with a name on the only connection. */
  async function prepared(): Promise<number> {
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_prepared_statements
      WHERE statement LIKE '%birds%'`.execute(db());
    return rows[0]?.n ?? Number.NaN;
  }

  afterEach(async () => {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  afterAll(() => connect(testPool()));

  it("are parsed once per connection", async () => {
    await open();
    const before = await prepared();
    for (let n = 0; n < 3; n++) await bird();
    expect(await prepared()).toBe(before + 1);
  });

  it("are executed again after a migration has changed their result", async () => {
    await open();
    await bird();
    await migrateElsewhere();
    expect((await bird()).rows).toEqual([{ name: "Robin", color: "red" }]);
  });

  it("run their whole transaction again after a migration has changed their result", async () => {
    await open();
    await bird();
    await migrateElsewhere();
    const found = await transaction(async (tx) => {
      await sql`INSERT INTO birds (name) VALUES (${"Wren"})`.execute(tx);
      return bird(tx);
    });
    expect(found.rows).toEqual([{ name: "Robin", color: "red" }]);
    const wrens = await sql`SELECT name FROM birds WHERE name = ${"Wren"}`.execute(db());
    expect(wrens.rows).toHaveLength(1);
  });

  it("are executed without a name after a pooler has lost them", async () => {
    await open();
    await bird();
    // After this the connection is like another connection of the server, to which a pooler may move the client.
    await sql`DEALLOCATE ALL`.execute(db());
    expect((await bird()).rows).toHaveLength(1);
    expect(await prepared()).toBe(0);
    await bird();
    expect(await prepared()).toBe(0);
  });

  it("are turned off by prepared_statements=off in the URL", async () => {
    await open("?prepared_statements=off");
    await bird();
    expect(await prepared()).toBe(0);
  });
});
