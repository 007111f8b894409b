import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadSqliteEngine, type SqliteValue } from '../../../src/server/db/sqlite/engine.ts';

/**
 * The baseline for storing a cell of a mark sheet: `node:http` that runs the statements of the product's call, those of its
 * sign-in included, in a durable transaction, and answers with `bytes` bytes. No routing, checks, headers or log.
 *
 * Takes the database file and a file with the statements as JSON.
 */
const [file = '', recording = ''] = process.argv.slice(2);

export interface RecordedCall {
  before: readonly RecordedStatement[];
  inTransaction: readonly RecordedStatement[];
  bytes: number;
}
export interface RecordedStatement {
  sql: string;
  parameters: readonly SqliteValue[];
}

const call = JSON.parse(readFileSync(recording, 'utf8')) as RecordedCall;
const engine = await loadSqliteEngine();
const writer = engine.open(file);
writer.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const reader = engine.open(file);

const [last] = writer.prepare('select coalesce(max(number), 0) as number from history_links').all() as {
  number: number;
}[];
let number = last?.number ?? 0;

const prepare = (database: typeof writer, statements: readonly RecordedStatement[]) =>
  statements.map(({ sql, parameters }) => ({
    statement: database.prepare(sql),
    parameters,
    isLink: sql.includes('insert into history_links'),
  }));
const before = prepare(reader, call.before);
const inTransaction = prepare(writer, call.inTransaction);
const reply = 'x'.repeat(call.bytes);

function run(): void {
  for (const { statement, parameters } of before) statement.all(...parameters);
  writer.exec('begin immediate');
  let entry = 0;
  for (const { statement, parameters, isLink } of inTransaction) {
    if (isLink) {
      number += 1;
      const link = JSON.stringify([{ number, hash: '0'.repeat(64), history_id: entry }]);
      statement.all(link);
    } else {
      const [row] = statement.all(...parameters);
      const id: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : undefined;
      if (typeof id === 'number') entry = id;
    }
  }
  writer.exec('commit');
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', () => {
    JSON.parse(Buffer.concat(pieces).toString());
    run();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length });
    response.end(reply);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' ? address?.port : ''}\n`);
});

process.once('SIGTERM', () => {
  reader.close();
  writer.close();
  process.exit(0);
});
