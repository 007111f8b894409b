import { type CompiledQuery, sql } from 'kysely';
import type { Tx } from './schema.ts';

/** Values per statement: within the limits of both engines, and enough that the cost of a statement does not matter. */
const MAX_VALUES = 4_000;

/** Inserts many rows into one table, many per statement. The full-size statement is compiled once. */
export class BulkInserter<Row extends object> {
  readonly #tx: Tx;
  readonly #table: string;
  readonly #columns: readonly (keyof Row & string)[];
  readonly #full: number;
  #statement: CompiledQuery | undefined;
  #values: unknown[] = [];

  constructor(tx: Tx, table: string, columns: readonly (keyof Row & string)[]) {
    this.#tx = tx;
    this.#table = table;
    this.#columns = columns;
    this.#full = columns.length * Math.floor(MAX_VALUES / columns.length);
  }

  add(row: Row): void {
    for (const column of this.#columns) this.#values.push(row[column]);
  }

  /** Inserts the rows added since the last call. */
  async store(): Promise<void> {
    const values = this.#values;
    this.#values = [];
    for (let i = 0; i < values.length; i += this.#full) {
      const parameters = values.slice(i, i + this.#full);
      const isFull = parameters.length === this.#full;
      const statement = (isFull && this.#statement) || this.#insert(parameters);
      if (isFull) this.#statement = statement;
      await this.#tx.executeQuery({ ...statement, parameters });
    }
  }

  #insert(values: readonly unknown[]): CompiledQuery {
    const width = this.#columns.length;
    const rows = Array.from(
      { length: values.length / width },
      (_, i) => sql`(${sql.join(values.slice(i * width, (i + 1) * width))})`,
    );
    const columns = this.#columns.map((column) => sql.ref(column));
    return sql`insert into ${sql.table(this.#table)} (${sql.join(columns)}) values ${sql.join(rows)}`.compile(
      this.#tx,
    );
  }
}
