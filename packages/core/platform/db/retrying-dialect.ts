import {
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type TransactionSettings,
} from "kysely";
import { retryOnConflict } from "./conflict.ts";

/**
 * Kysely's PostgreSQL dialect with one addition: a statement outside a transaction is retried on a write conflict.
 * Statements inside a transaction are not, because the whole transaction has to run again (see `transaction`).
 */
export class RetryingDialect extends PostgresDialect {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new RetryingDriver(this.#pool);
  }
}

class RetryingDriver extends PostgresDriver {
  readonly #inTransaction: WeakSet<DatabaseConnection>;

  constructor(pool: PostgresPool) {
    const inTransaction = new WeakSet<DatabaseConnection>();
    super({
      pool,
      async onCreateConnection(connection) {
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query, options) => {
          const run = () => execute<never>(query, options);
          return inTransaction.has(connection) ? run() : retryOnConflict(run);
        };
      },
    });
    this.#inTransaction = inTransaction;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    this.#inTransaction.add(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } finally {
      this.#inTransaction.delete(connection);
    }
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver["rollbackTransaction"]>[0],
  ): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } finally {
      this.#inTransaction.delete(connection);
    }
  }
}
