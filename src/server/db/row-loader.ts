import { type CompiledQuery, sql } from 'kysely';
import type { Tx } from './schema.ts';

/** Values in one statement: few enough for either engine, enough that what each statement costs does not count. */
const VALUES = 4_000;

/** Puts many rows into one table, a good number of them in each statement. The text of a full one is made once. */
export class RowLoader<Row extends object> {
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
    this.#full = columns.length * Math.floor(VALUES / columns.length);
  }

  add(row: Row): void {
    for (const column of this.#columns) this.#values.push(row[column]);
  }

  /** Stores all that have been added since the last time. */
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
