import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Db } from './schema.ts';

/**
 * A query of one row for a hot path: built and compiled at its first use on a database, afterwards only bound.
 * `build` puts stand-ins for its parameters in the order in which the values are then given.
 */
export function compileOnce<Row, Values extends readonly (string | number)[]>(
  build: (db: Db) => RawBuilder<Row>,
): (db: Db, ...values: Values) => Promise<Row | undefined> {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>();
  return async (db, ...values) => {
    let query = compiled.get(db);
    if (query === undefined) {
      query = build(db).compile(db);
      compiled.set(db, query);
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: values });
    return rows[0];
  };
}
