import type { CompiledQuery, RawBuilder } from 'kysely';
import { boundLater } from './dialect.ts';
import type { Db } from './schema.ts';

/**
 * Begins the text of a query that is used again and again: a server then keeps it, planned, with the connection, since
 * planning can cost more than running it.
 */
export const KEPT = '/* kept */ ';

const compileKept = <Row>(query: RawBuilder<Row>, db: Db): CompiledQuery<Row> => {
  const compiled = query.compile(db);
  return { ...compiled, sql: KEPT + compiled.sql };
};

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
      query = compileKept(build(db), db);
      compiled.set(db, query);
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: values });
    return rows[0];
  };
}

/** Stands for a value that is given at each use of a compiled query. */
export type Named = (name: string) => RawBuilder<never>;

class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Shapes of one query that are kept; the usual ones of all are well under this. */
const SHAPES_KEPT = 300;

/**
 * A query that comes in several shapes, each of them compiled once: putting its text together costs more than running
 * it. `shape` says all that the text depends on; the rest comes as values by name.
 */
export function compileShapes<Row, Shape>(
  build: (db: Db, shape: Shape, value: Named) => RawBuilder<Row>,
): (db: Db, shape: Shape, values: Readonly<Record<string, string | number>>) => Promise<Row[]> {
  const compiled = new WeakMap<Db, Map<string, CompiledQuery<Row>>>();
  return async (db, shape, values) => {
    const shapes = compiled.get(db) ?? new Map<string, CompiledQuery<Row>>();
    compiled.set(db, shapes);
    const key = JSON.stringify(shape);
    let query = shapes.get(key);
    if (query === undefined) {
      const named: Named = (name) => boundLater(db, new Name(name));
      query = compileKept(build(db, shape, named), db);
      if (shapes.size === SHAPES_KEPT) shapes.clear();
      shapes.set(key, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Name ? values[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
