import { createServer } from 'node:http';
import { Kysely } from 'kysely';
import { sessionQuery } from '../../src/server/accounts/sessions/sessions.ts';
import type { Schema } from '../../src/server/db/schema.ts';
import { sqliteDialect } from '../../src/server/db/sqlite/driver.ts';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import {
  assembleRecord,
  type ListPage,
  listQuery,
  type RecordParts,
  type ResultParts,
  recordQuery,
  resultsQuery,
} from '../../src/server/students/queries.ts';

/**
 * The baseline that the product is compared with: `node:http` with prepared statements and nothing else. No routing, checks,
 * headers or log. `/list` and `/record` read the same tables with the same statement as the product, without a sign-in;
 * `/results` runs all statements of the product's call, that of the session included, and sends `bytes` bytes;
 * `/finished/…` return prepared text: the limit of HTTP with one look-up.
 *
 * Takes the database file and the id of the record.
 */
const [file = '', id = ''] = process.argv.slice(2);

const engine = await loadSqliteEngine();
const database = engine.open(file, { readOnly: true });
const compiler = new Kysely<Schema>({ dialect: sqliteDialect(database, { exclusive: false }) });
const listStatement = database.prepare(listQuery(compiler).compile(compiler).sql);
const recordStatement = database.prepare(recordQuery(compiler).compile(compiler).sql);

const resultsStatement = database.prepare(resultsQuery(compiler).compile(compiler).sql);
const sessionStatement = database.prepare(sessionQuery().compile(compiler).sql);
const [session] = database.prepare('select token_hash from sessions limit 1').all() as {
  token_hash: string;
}[];
const policyStatement = database.prepare('select policy_id, rules from policies where policy_id = ?');

const list = () => (listStatement.all('', 500) as ListPage[])[0]?.students ?? '';
const record = () => {
  const [parts] = recordStatement.all(id) as RecordParts[];
  return parts === undefined ? '' : assembleRecord(id, parts).json;
};
/** What the explanation of a CGPA and the standing are worked out from, and the session of the call. */
const results = () => {
  sessionStatement.all(session?.token_hash ?? '');
  const [parts] = resultsStatement.all(id) as ResultParts[];
  if (parts === undefined) return '';
  const [policy] = policyStatement.all(parts.policy_id) as { rules: string }[];
  return `{"policy":${policy?.rules},"semesters":${parts.semesters},"subjects":${parts.subjects}}`;
};

const finished = engine.open(':memory:');
finished.exec('create table answers (path text primary key, json text not null) strict');
const remember = finished.prepare('insert into answers values (?, ?)');
remember.run('/finished/list', list());
remember.run('/finished/record', record());
const recall = finished.prepare('select json from answers where path = ?');

const answer = (url: string) => {
  const { pathname: path, searchParams } = new URL(url, 'http://localhost');
  if (path === '/list') return list();
  if (path === '/record') return record();
  if (path === '/results') return results().padEnd(Number(searchParams.get('bytes')));
  const [row] = recall.all(path) as { json: string }[];
  return row?.json ?? '';
};

const server = createServer((request, response) => {
  const body = answer(request.url ?? '');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' ? address?.port : ''}\n`);
});

// Also keeps references to the databases: garbage collection would close them while their statements are in use.
process.once('SIGTERM', () => {
  database.close();
  finished.close();
  process.exit(0);
});
