import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { hashToken, sessionQuery } from '../../../src/server/accounts/sessions/sessions.ts';
import { createReader } from '../../../src/server/db/sqlite/driver.ts';
import { loadSqliteEngine, type SqliteValue } from '../../../src/server/db/sqlite/engine.ts';
import { apiHeaders } from '../../../src/server/http/hooks/security-headers.ts';
import {
  assembleRecord,
  type ListPage,
  listQuery,
  type RecordParts,
  recordQuery,
  resultsQuery,
} from '../../../src/server/students/queries.ts';

/**
 * The baseline that the product is compared with: `node:http` with prepared statements and nothing else. No routing, checks
 * or log. `/list` and `/record` read the same tables with the same statement as the product, without a sign-in; `/results`
 * runs all statements of the product's call, that of the session included, which takes the hash of the token that was
 * sent, and sends as many bytes with the same security headers; `/statements` does the same with statements of a file; `/finished/…` return prepared text: the limit of HTTP with
 * one look-up.
 *
 * Takes the database file, the id of the record, and a JSON file of `{ sql, parameters }`, if any.
 */
const [file = '', id = '', statementsFile] = process.argv.slice(2);

const engine = await loadSqliteEngine();
const database = engine.open(file, { readOnly: true });
const compiler = createReader(database);
const listStatement = database.prepare(listQuery(compiler).compile(compiler).sql);
const recordStatement = database.prepare(recordQuery(compiler).compile(compiler).sql);

const resultsStatement = database.prepare(resultsQuery(compiler).compile(compiler).sql);
const sessionStatement = database.prepare(sessionQuery().compile(compiler).sql);
const headers = apiHeaders({ https: false });

const list = () => (listStatement.all('', 500) as ListPage[])[0]?.students ?? '';
const record = () => {
  const [parts] = recordStatement.all(id) as RecordParts[];
  return parts === undefined ? '' : assembleRecord(id, parts).json;
};
/** What the explanation of a CGPA and the standing are worked out from, and the session of the call. */
const results = (token: string) => {
  if (sessionStatement.all(hashToken(token)).length === 0) throw new Error('There is no such session.');
  const [parts] = resultsStatement.all(id) as { rules: string; semesters: string; subjects: string }[];
  return `{"policy":${parts?.rules},"semesters":${parts?.semesters},"subjects":${parts?.subjects}}`;
};

const recorded: { sql: string; parameters: SqliteValue[] }[] =
  statementsFile === undefined ? [] : JSON.parse(readFileSync(statementsFile, 'utf8'));
const statements = recorded.map(({ sql, parameters }) => ({ statement: database.prepare(sql), parameters }));
const runStatements = (token: string) => {
  if (sessionStatement.all(hashToken(token)).length === 0) throw new Error('There is no such session.');
  let rows = 0;
  for (const { statement, parameters } of statements) rows += statement.all(...parameters).length;
  return `{"rows":${rows}}`;
};

const finished = engine.open(':memory:');
finished.exec('create table answers (path text primary key, json text not null) strict');
const remember = finished.prepare('insert into answers values (?, ?)');
remember.run('/finished/list', list());
remember.run('/finished/record', record());
const recall = finished.prepare('select json from answers where path = ?');

const answer = ({ url = '', headers: { authorization = '' } }: IncomingMessage) => {
  const { pathname: path, searchParams } = new URL(url, 'http://localhost');
  if (path === '/list') return list();
  if (path === '/record') return record();
  if (path === '/results')
    return results(authorization.slice('Bearer '.length)).padEnd(Number(searchParams.get('bytes')));
  if (path === '/statements')
    return runStatements(authorization.slice('Bearer '.length)).padEnd(Number(searchParams.get('bytes')));
  const [row] = recall.all(path) as { json: string }[];
  return row?.json ?? '';
};

const server = createServer((request, response) => {
  const body = answer(request);
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
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
