import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import {
  type ColumnTypes,
  isPostgres,
  jsonRecordset,
  opaqueParameter,
  type RowObjects,
} from './dialect/sql.ts';
import type { Db } from './schema.ts';

/**
 * First characters of a query that the PostgreSQL driver prepares once per connection: planning it can take longer than
 * running it.
 */
export const PREPARED_MARK = '/* kept */ ';

const compilePrepared = <Row>(query: RawBuilder<Row>, db: Db): CompiledQuery<Row> => {
  const compiled = query.compile(db);
  return { ...compiled, sql: PREPARED_MARK + compiled.sql };
};

/**
 * A query of one row for a hot path: built and compiled at its first use on an engine, then only bound. `build` uses
 * placeholders for the parameters in the order in which the values are passed.
 */
export function preparedQuery<Row, Values extends readonly (string | number | null)[]>(
  build: (db: Db) => RawBuilder<Row>,
): (db: Db, ...values: Values) => Promise<Row | undefined> {
  // By engine, so that transactions share them.
  const compiled = new Map<boolean, CompiledQuery<Row>>();
  return async (db, ...values) => {
    const engine = isPostgres(db);
    let query = compiled.get(engine);
    if (query === undefined) {
      query = compilePrepared(build(db), db);
      compiled.set(engine, query);
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: values });
    return rows[0];
  };
}

/** Placeholder for a value that is passed at each use of a compiled query. */
export type NamedParameter = (name: string) => RawBuilder<never>;

class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type NamedValues = Readonly<Record<string, string | number | null>>;

/** Most compiled variants of one query; normal use stays well below. */
const MAX_VARIANTS = 300;

/**
 * A query in several variants, each compiled once: building the text takes longer than running the query. `shape` is
 * everything that the text depends on; all else is passed as named values.
 */
export function preparedQueryVariants<Row, Shape>(
  build: (db: Db, shape: Shape, value: NamedParameter) => RawBuilder<Row>,
): (db: Db, shape: Shape, values: NamedValues) => Promise<Row[]> {
  const compiled = new Map<boolean, Map<string, CompiledQuery<Row>>>();
  return async (db, shape, values) => {
    const engine = isPostgres(db);
    const shapes = compiled.get(engine) ?? new Map<string, CompiledQuery<Row>>();
    compiled.set(engine, shapes);
    const key = JSON.stringify(shape);
    let query = shapes.get(key);
    if (query === undefined) {
      const named: NamedParameter = (name) => opaqueParameter(db, new Name(name));
      query = compilePrepared(build(db, shape, named), db);
      if (shapes.size === MAX_VARIANTS) shapes.clear();
      shapes.set(key, query);
    }
    return (await db.executeQuery<Row>(bindNames(query, values))).rows;
  };
}

const bindNames = <Row>(query: CompiledQuery<Row>, values: NamedValues): CompiledQuery<Row> => ({
  ...query,
  parameters: query.parameters.map((parameter) =>
    parameter instanceof Name ? values[parameter.name] : parameter,
  ),
});

/** A query over objects as rows with these columns, bound as one parameter: compiled once for any number of them. */
export function preparedRowsQuery<Column extends string, Row = never>(
  columns: ColumnTypes<Column>,
  build: (db: Db, rows: RawBuilder<unknown>) => RawBuilder<Row>,
): (db: Db, objects: RowObjects<Column>) => Promise<Row[]> {
  const run = preparedQueryVariants<Row, object>((db, _, value) =>
    build(db, jsonRecordset(db, value('objects'), columns)),
  );
  return (db, objects) => run(db, {}, { objects: JSON.stringify(objects) });
}

type ValueOf = (column: string) => RawBuilder<unknown>;
type KeyedChange<Column extends string> = (db: Db, objects: RowObjects<Column>) => Promise<void>;

/**
 * A change of rows by their keys, all in one statement on PostgreSQL. On SQLite one after the other, which takes no longer:
 * joined with the objects, a table that was small when it was analysed would be scanned for as long as the process runs.
 */
function preparedChange<Column extends string>(
  columns: ColumnTypes<Column>,
  build: (from: RawBuilder<unknown> | undefined, valueIn: ValueOf) => RawBuilder<never>,
): KeyedChange<Column> {
  const changeAll = preparedRowsQuery(columns, (_, rows) => build(rows, (name) => sql.ref(`l.${name}`)));
  let changeOne: CompiledQuery | undefined;
  return async (db, objects) => {
    if (isPostgres(db)) {
      await changeAll(db, objects);
      return;
    }
    changeOne ??= compilePrepared(
      build(undefined, (name) => opaqueParameter(db, new Name(name))),
      db,
    );
    const query = changeOne;
    // On the connection itself: the layers above it take longer than such a statement.
    await db.getExecutor().provideConnection(async (connection) => {
      for (const object of objects) await connection.executeQuery(bindNames(query, object));
    });
  };
}

const hasKeys = (table: string, keys: readonly string[], valueIn: ValueOf) =>
  sql.join(
    keys.map((key) => sql`${sql.ref(`${table}.${key}`)} = ${valueIn(key)}`),
    sql` and `,
  );

/** Sets columns of the rows with these keys. */
export function preparedUpdate<Key extends string, Column extends string>(
  table: string,
  keys: ColumnTypes<Key>,
  columns: ColumnTypes<Column>,
): KeyedChange<Key | Column> {
  return preparedChange<Key | Column>({ ...keys, ...columns }, (rows, valueIn) => {
    const set = sql.join(Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${valueIn(name)}`));
    const from = rows === undefined ? sql`` : sql`from ${rows} l`;
    return sql`update ${sql.table(table)} set ${set} ${from} where ${hasKeys(table, Object.keys(keys), valueIn)}`;
  });
}

/** Deletes the rows with these keys. */
export const preparedDelete = <Key extends string>(table: string, keys: ColumnTypes<Key>): KeyedChange<Key> =>
  preparedChange(keys, (rows, valueIn) => {
    const using = rows === undefined ? sql`` : sql`using ${rows} l`;
    return sql`delete from ${sql.table(table)} ${using} where ${hasKeys(table, Object.keys(keys), valueIn)}`;
  });
