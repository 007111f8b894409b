import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadSqliteEngine, type SqliteValue } from '../../../src/server/db/sqlite/engine.ts';

/**
 * The baseline that the list is compared with: `node:http` with two prepared statements and nothing else. One finds the ids
 * of a page, as directly as the tables allow; one builds the JSON of their rows. No routing, sign-in, checks, counting,
 * headers or log. Takes the database file and a JSON file of `{ sql, parameters }`; `/2/7` is the seventh variation of
 * the second.
 */
const [file = '', callsFile = ''] = process.argv.slice(2);
const calls: { sql: string; parameters: SqliteValue[][] }[] = JSON.parse(readFileSync(callsFile, 'utf8'));

const database = (await loadSqliteEngine()).open(file, { readOnly: true });
// The same setting as the product's read connection.
database.exec('pragma cache_size = -65536');
const finders = calls.map(({ sql }) => database.prepare(sql));
const rows = database.prepare(`
  select json_group_array(json_object(
    'id', s.id, 'first_name', first_name, 'last_name', last_name, 'dob', dob, 'department', department,
    'degree', degree, 'syn', syn, 'gender', gender, 'current_sem', current_sem,
    'fsc_marks', fsc_marks / 110000.0, 'matric_marks', matric_marks / 110000.0, 'phone_number', phone_number,
    'cgpa', case when cgpa >= 0 then cgpa / 100.0 end, 'cgpa_semester', case when cgpa_semester > 0 then cgpa_semester end,
    'final_cgpa', case when final_cgpa >= 0 then final_cgpa / 100.0 end,
    'is_complete', json(iif(is_complete, 'true', 'false')), 'father_name', father_name, 'father_phone', father_phone,
    'status', status, 'status_date', status_date, 'standing', nullif(standing, ''),
    'former_ids', json((select json_group_array(former_id order by history_id)
      from student_former_ids where student_id = s.id))) order by key) as students
  from json_each(?) cross join students s left join families on student_id = s.id where s.id = value`);

function page(call: number, variation: number): string {
  const ids = finders[call]?.all(...(calls[call]?.parameters[variation] ?? [])) as { id: string }[];
  const [row] = rows.all(JSON.stringify(ids.map(({ id }) => id))) as { students: string }[];
  return `{"students":${row?.students}}`;
}

const server = createServer((request, response) => {
  const [call, variation] = (request.url ?? '').slice(1).split('/').map(Number);
  const body = page(call ?? 0, variation ?? 0);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' ? address?.port : ''}\n`);
});

// Also keeps a reference to the database: garbage collection would close it while its statements are in use.
process.once('SIGTERM', () => {
  database.close();
  process.exit(0);
});
