import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import {
  boundRows,
  type ColumnTypes,
  isPostgres,
  jsonRecordset,
  opaqueParameter,
  type RowObjects,
} from './dialect/sql.ts';
import type { Db } from './schema.ts';
import { SqliteConnection } from './sqlite/driver.ts';

/**
 * First characters of a query that the PostgreSQL driver prepares once per connection: planning it can take longer than
 * running it.
 */
export const PREPARED_MARK = '/* prepared */ ';

/**
 * First characters of a prepared change that is sent without awaiting the result, in a transaction on PostgreSQL: it saves a
 * round trip.
 * If it fails, the next statement that is waited for fails, at the latest the commit.
 */
export const UNAWAITED_MARK = `${PREPARED_MARK}/* unawaited */ `;

type Mark = typeof PREPARED_MARK | typeof UNAWAITED_MARK;
type Value = string | number | null;
type NamedValues = Readonly<Record<string, Value>>;

/** Most compiled variants of one query; normal use stays well below. */
const MAX_VARIANTS = 300;

/** Compiles a query once for each engine and shape: building the text takes longer than running the query. */
function compileOnce<Row, Shape>(
  build: (db: Db, shape: Shape) => RawBuilder<Row>,
  mark: Mark = PREPARED_MARK,
): (db: Db, shape: Shape) => CompiledQuery<Row> {
  // By engine, so that transactions share them.
  const byEngine = {
    true: new Map<string, CompiledQuery<Row>>(),
    false: new Map<string, CompiledQuery<Row>>(),
  };
  return (db, shape) => {
    const compiled = byEngine[`${isPostgres(db)}`];
    const key = JSON.stringify(shape);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const query = build(db, shape).compile(db);
    const marked = { ...query, sql: mark + query.sql.trimStart() };
    if (compiled.size === MAX_VARIANTS) compiled.clear();
    compiled.set(key, marked);
    return marked;
  };
}

/**
 * On PostgreSQL a transaction may send further statements before this one is answered. They run in the order in which they are
 * sent.
 */
async function run<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  if (!(db.isTransaction && isPostgres(db))) return (await db.executeQuery<Row>(query)).rows;
  const { sent } = await db.getExecutor().provideConnection(async (connection) => {
    const sent = connection.executeQuery<Row>(query);
    // The caller handles the error: it awaits `sent`.
    sent.catch(() => {});
    return { sent };
  });
  return (await sent).rows;
}

/**
 * A query of one row for a hot path: built and compiled at its first use on an engine, then only bound. `build` uses
 * placeholders for the parameters in the order in which the values are passed.
 */
export function preparedQuery<Row, Values extends readonly Value[]>(
  build: (db: Db) => RawBuilder<Row>,
): (db: Db, ...values: Values) => Promise<Row | undefined> {
  const compiled = compileOnce((db: Db, _: null) => build(db));
  return async (db, ...values) => (await run<Row>(db, { ...compiled(db, null), parameters: values }))[0];
}

/** The same as {@link preparedQuery}, for a change that returns nothing. */
export function preparedChange<Values extends readonly Value[]>(
  build: (db: Db) => RawBuilder<never>,
): (db: Db, ...values: Values) => Promise<void> {
  const compiled = compileOnce((db: Db, _: null) => build(db), UNAWAITED_MARK);
  return async (db, ...values) => void (await run(db, { ...compiled(db, null), parameters: values }));
}

/** Placeholder for a value that is passed at each use of a compiled query. */
export type NamedParameter = (name: string) => RawBuilder<never>;

/** The value of one of the objects that are bound. */
class Placeholder {
  readonly name: string;
  readonly row: number;

  constructor(name: string, row = 0) {
    this.name = name;
    this.row = row;
  }
}

const bind = <Row>(query: CompiledQuery<Row>, objects: readonly NamedValues[]): CompiledQuery<Row> => ({
  ...query,
  parameters: query.parameters.map((parameter) =>
    parameter instanceof Placeholder ? objects[parameter.row]?.[parameter.name] : parameter,
  ),
});

/**
 * A query in several variants, each compiled once. `shape` is everything that the text depends on; all else is passed as
 * named values.
 */
export function preparedQueryVariants<Row, Shape>(
  build: (db: Db, shape: Shape, value: NamedParameter) => RawBuilder<Row>,
): (db: Db, shape: Shape, values: NamedValues) => Promise<Row[]> {
  const compiled = compileOnce((db: Db, shape: Shape) =>
    build(db, shape, (name) => opaqueParameter(db, new Placeholder(name))),
  );
  return (db, shape, values) => run(db, bind(compiled(db, shape), [values]));
}

/** Most rows that PostgreSQL gets as parameters each: it plans for their number. It takes JSON for a hundred rows. */
const MAX_BOUND_ROWS = 5;

/** A query over objects as rows with these columns. */
function overRows<Column extends string, Row>(
  columns: ColumnTypes<Column>,
  build: (db: Db, rows: RawBuilder<unknown>) => RawBuilder<Row>,
  mark?: Mark,
): (db: Db, objects: RowObjects<Column>) => Promise<Row[]> {
  const compiled = compileOnce(
    (db: Db, bound: number | 'json') =>
      build(
        db,
        bound === 'json'
          ? jsonRecordset(db, opaqueParameter(db, new Placeholder('json')), columns)
          : boundRows(columns, bound, (name, row) => sql`${new Placeholder(name, row)}`),
      ),
    mark,
  );
  return async (db, objects) => {
    if (objects.length === 0) return [];
    return isPostgres(db) && objects.length <= MAX_BOUND_ROWS
      ? run(db, bind(compiled(db, objects.length), objects))
      : run(db, bind(compiled(db, 'json'), [{ json: JSON.stringify(objects) }]));
  };
}

/** A query over objects as rows with these columns, compiled once for any number of them. */
export const preparedRowsQuery = <Column extends string, Row>(
  columns: ColumnTypes<Column>,
  build: (db: Db, rows: RawBuilder<unknown>) => RawBuilder<Row>,
) => overRows(columns, build);

type RowsChange<Column extends string> = (db: Db, objects: RowObjects<Column>) => Promise<void>;

/** The same as {@link preparedRowsQuery}, for a change that returns nothing. */
export function preparedRowsChange<Column extends string>(
  columns: ColumnTypes<Column>,
  build: (db: Db, rows: RawBuilder<unknown>) => RawBuilder<never>,
): RowsChange<Column> {
  const change = overRows(columns, build, UNAWAITED_MARK);
  return async (db, objects) => void (await change(db, objects));
}

type ValueOf = (column: string) => RawBuilder<unknown>;

/**
 * A change of rows by their keys, all in one statement on PostgreSQL. On SQLite one after the other, which takes no longer:
 * joined with the objects, a table that was small when it was analysed would be scanned for as long as the process runs.
 */
function keyedChange<Column extends string>(
  columns: ColumnTypes<Column>,
  build: (from: RawBuilder<unknown> | undefined, valueIn: ValueOf) => RawBuilder<never>,
): RowsChange<Column> {
  const changeAll = preparedRowsChange(columns, (_, rows) => build(rows, (name) => sql.ref(`l.${name}`)));
  const changeOne = compileOnce((db: Db, _: null) =>
    build(undefined, (name) => opaqueParameter(db, new Placeholder(name))),
  );
  return async (db, objects) => {
    if (isPostgres(db)) {
      await changeAll(db, objects);
      return;
    }
    const query = changeOne(db, null);
    const names = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameter.name : '',
    );
    await db.getExecutor().provideConnection(async (connection) => {
      if (!(connection instanceof SqliteConnection)) throw new Error('There is no such engine.');
      await connection.executeEach(
        query.sql,
        objects.map((object) => names.map((name): unknown => Reflect.get(object, name))),
      );
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
): RowsChange<Key | Column> {
  return keyedChange<Key | Column>({ ...keys, ...columns }, (rows, valueIn) => {
    const set = sql.join(Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${valueIn(name)}`));
    const from = rows === undefined ? sql`` : sql`from ${rows} l`;
    return sql`update ${sql.table(table)} set ${set} ${from} where ${hasKeys(table, Object.keys(keys), valueIn)}`;
  });
}

/** Deletes the rows with these keys. */
export const preparedDelete = <Key extends string>(table: string, keys: ColumnTypes<Key>): RowsChange<Key> =>
  keyedChange(keys, (rows, valueIn) => {
    const using = rows === undefined ? sql`` : sql`using ${rows} l`;
    return sql`delete from ${sql.table(table)} ${using} where ${hasKeys(table, Object.keys(keys), valueIn)}`;
  });
