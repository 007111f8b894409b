import { createServer } from 'node:http';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from '../../../src/server/db/schema.ts';
import {
  assembleRecord,
  type ListPage,
  listQuery,
  type RecordParts,
  recordQuery,
} from '../../../src/server/students/queries.ts';

/**
 * The baseline for the product on PostgreSQL: `node:http`, the driver's own pool, and the same statements, prepared.
 * No routing, sign-in, checks, headers or log.
 *
 * Takes the database URL, the maximum number of connections, and the id of the record.
 */
const [connectionString = '', connections = '', id = ''] = process.argv.slice(2);

const pool = new pg.Pool({
  connectionString,
  max: Number(connections),
  options: '-c jit=off -c max_parallel_workers_per_gather=0',
});
const compiler = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
const listText = listQuery(compiler).compile(compiler).sql;
const recordText = recordQuery(compiler).compile(compiler).sql;

async function answer(path: string | undefined): Promise<string> {
  if (path === '/list') {
    const { rows } = await pool.query<ListPage>({ name: 'list', text: listText, values: ['', 500] });
    return rows[0]?.students ?? '';
  }
  const { rows } = await pool.query<RecordParts>({ name: 'record', text: recordText, values: [id] });
  return rows[0] === undefined ? '' : assembleRecord(id, rows[0]).json;
}

const server = createServer(async (request, response) => {
  const body = await answer(request.url);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' ? address?.port : ''}\n`);
});
process.once('SIGTERM', () => process.exit(0));
