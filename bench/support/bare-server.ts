import { createServer } from 'node:http';
import { loadSqliteEngine } from '../../src/server/db/sqlite-engine.ts';

/**
 * The least that could answer the same: `node:http` and one prepared statement that reads the finished JSON of an
 * answer from a table. No routing, no sign-in, no headers but type and length. It is the limit that the product's
 * requests per second are held against. Takes the database file and the name of the answer.
 */
const [file = '', name = ''] = process.argv.slice(2);

const engine = await loadSqliteEngine();
const database = engine.open(file, { readOnly: true });
const statement = database.prepare('select json from answers where name = ?');

const server = createServer((_request, response) => {
  const [row] = statement.all(name);
  const body = typeof row === 'object' && row !== null && 'json' in row ? String(row.json) : '';
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' ? address?.port : ''}\n`);
});
// Also keeps the database referenced: a collected one closes under its statements.
process.once('SIGTERM', () => {
  database.close();
  process.exit(0);
});
