import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { hashToken } from '../../../src/server/accounts/sessions/sessions.ts';
import { loadSqliteEngine, type SqliteStatement } from '../../../src/server/db/sqlite/engine.ts';

/**
 * The baseline for saves: `node:http` that runs the statements that no server could do without, prepared, in one durable
 * transaction: those of the session, of reading and changing the record and of its entry in the history with its link. No
 * routing, rules, checks, versions, counts, headers or log.
 *
 * Takes the database file or URL. Answers the calls of `writes.ts` at the paths of the product.
 */
const [source = ''] = process.argv.slice(2);
const isPostgres = source.startsWith('postgres:');
/** As many as the product has unless set otherwise. */
const CONNECTIONS = 10;

type Value = string | number | null;
type Row = Record<string, Value>;
/** Work as its statements, each answered with its rows. */
type Statements<Result> = Generator<[sql: string, ...values: Value[]], Result, Row[]>;
/** A save; returns the reply. */
type Save = Statements<object>;

function* run(sql: string, ...values: Value[]): Statements<Row[]> {
  return yield [sql, ...values];
}

interface Store {
  findSession(tokenHash: string): Promise<void>;
  run(save: Save): Promise<object>;
}

const SESSION = `select users.id, users.name, users.email, users.role, users.locked_at, last_used_at, expires_at
  from sessions inner join users on users.id = sessions.user_id where token_hash = ?`;

async function openSqlite(file: string): Promise<Store> {
  const engine = await loadSqliteEngine();
  const writer = engine.open(file);
  writer.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const reader = engine.open(file);
  const session = reader.prepare(SESSION);
  const statements = new Map<string, SqliteStatement>();
  const all = ([sql, ...values]: [string, ...Value[]]) => {
    const statement = statements.get(sql) ?? writer.prepare(sql);
    statements.set(sql, statement);
    return statement.all(...values) as Row[];
  };
  process.once('SIGTERM', () => {
    reader.close();
    writer.close();
    process.exit(0);
  });
  return {
    findSession: async (tokenHash) => void session.all(tokenHash),
    run: async (save) => {
      writer.exec('begin immediate');
      let step = save.next([]);
      while (!step.done) step = save.next(all(step.value));
      writer.exec('commit');
      return step.value;
    },
  };
}

function openPostgres(connectionString: string): Store {
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS });
  const prepared = new Map<string, { name: string; text: string }>();
  const prepare = (sql: string) => {
    let number = 0;
    const known = prepared.get(sql) ?? {
      name: `bare_${prepared.size}`,
      text: sql.replaceAll('?', () => `$${++number}`),
    };
    prepared.set(sql, known);
    return known;
  };
  process.once('SIGTERM', () => process.exit(0));
  return {
    findSession: async (tokenHash) => void (await pool.query({ ...prepare(SESSION), values: [tokenHash] })),
    run: async (save) => {
      const client = await pool.connect();
      await client.query('begin');
      let step = save.next([]);
      while (!step.done) {
        const [sql, ...values] = step.value;
        step = save.next((await client.query<Row>({ ...prepare(sql), values })).rows);
      }
      await client.query('commit');
      client.release();
      return step.value;
    },
  };
}

const forUpdate = isPostgres ? ' for update of s' : '';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The last link of the chain is kept here, so that no save waits for the lock on it that another holds until its commit. */
const head = { number: 1_000_000, hash: '0'.repeat(64) };

function* record(entity: string, id: Value, before: object | null, after: object): Statements<void> {
  const entry = [
    ...[new Date().toISOString(), 1, 'Bench', before === null ? 'create' : 'update', entity, String(id)],
    ...[before && JSON.stringify(before), JSON.stringify(after)],
  ];
  const [row] = yield* run(
    `insert into history (at, user_id, user_name, action, entity, entity_id, "before", "after")
      values (?, ?, ?, ?, ?, ?, ?, ?) returning id`,
    ...entry,
  );
  head.number += 1;
  head.hash = sha256(`${head.hash} ${head.number} ${sha256(JSON.stringify([row?.id, ...entry]))}`);
  const { number, hash } = head;
  yield* run(
    'insert into history_links (number, hash, history_id) values (?, ?, ?)',
    ...[number, hash, row?.id ?? 0],
  );
  // On PostgreSQL, its lock would let only one save commit at a time.
  if (!isPostgres) yield* run('update history_head set number = ?, hash = ?', number, hash);
}

type Body = Record<string, Value>;

const POINTS: Record<string, number> = { A: 400, B: 300, C: 200, D: 100 };
const toSubjects = (body: Body): Value[][] =>
  [1, 2, 3, 4, 5].map((slot) => [
    ...[body.student_id ?? '', body.semester ?? 0, slot, body[`subject_${slot}`] ?? ''],
    ...[body[`subj_credit_${slot}`] ?? null, (POINTS[String(body[`subj_grade_${slot}`])] ?? 0) / 50],
  ]);

function* lockResults(body: Body): Statements<{ recorded: Row[]; subjects: Row[] }> {
  const id = body.student_id ?? '';
  yield* run(
    `select s.*, f.father_name, f.father_phone from students s join families f on f.student_id = s.id
      where s.id = ?${forUpdate}`,
    id,
  );
  const recorded = yield* run('select * from semesters where student_id = ? order by semester', id);
  const subjects = yield* run(
    'select * from semester_subjects where student_id = ? order by semester, slot',
    id,
  );
  return { recorded, subjects };
}

function* insertSubjects(body: Body): Statements<void> {
  const rows = toSubjects(body);
  yield* run(
    `insert into semester_subjects (student_id, semester, slot, title, credits, half_points)
      values ${rows.map(() => '(?, ?, ?, ?, ?, ?)').join()}`,
    ...rows.flat(),
  );
}

function* storeFigures(id: Value, cgpa: number, semester: Value): Statements<void> {
  yield* run(
    'update students set cgpa = ?, cgpa_semester = ?, final_cgpa = ?, fall = ?, standing = ? where id = ?',
    ...[cgpa, semester, -1, 0, cgpa < 200 ? 'probation' : 'good', id],
  );
}

function* createSemester(body: Body): Save {
  const id = body.student_id ?? '';
  yield* lockResults(body);
  const sgpa = POINTS[String(body.subj_grade_1)] ?? 0;
  const [row] = yield* run(
    'insert into semesters (student_id, semester, sgpa, cgpa, version) values (?, ?, ?, ?, 1) returning academic_id',
    ...[id, body.semester ?? 0, sgpa, sgpa],
  );
  yield* insertSubjects(body);
  yield* storeFigures(id, sgpa, body.semester ?? 0);
  const academic = { ...body, academic_id: row?.academic_id, sgpa: sgpa / 100, cgpa: sgpa / 100 };
  yield* record('semester', id, null, academic);
  return { message: 'Semester entry created successfully', academic };
}

function* editSemester(academicId: number, body: Body): Save {
  const [id, semester] = [body.student_id ?? '', body.semester ?? 0];
  const { recorded, subjects } = yield* lockResults(body);
  yield* run('delete from semester_subjects where student_id = ? and semester = ?', id, semester);
  yield* insertSubjects(body);
  const sgpa = POINTS[String(body.subj_grade_1)] ?? 0;
  for (const row of recorded) {
    const own = row.academic_id === academicId ? sgpa : (row.sgpa ?? 0);
    yield* run(
      'update semesters set sgpa = ?, cgpa = ?, version = version + 1 where academic_id = ?',
      ...[own, sgpa, row.academic_id ?? 0],
    );
  }
  yield* storeFigures(id, sgpa, semester);
  const academic = { ...body, academic_id: academicId, sgpa: sgpa / 100, cgpa: sgpa / 100 };
  const before = { ...recorded.find((row) => row.academic_id === academicId), subjects };
  yield* record('semester', id, before, academic);
  return { message: 'Semester entry updated successfully', academic };
}

const STUDENT_COLUMNS = [
  ...['first_name', 'last_name', 'dob', 'joining_date', 'phone_number', 'gender', 'fsc_marks', 'fsc_year'],
  ...['fsc_div', 'matric_marks', 'matric_year', 'matric_div', 'current_sem', 'department', 'degree', 'syn'],
  ...['reason', 'img'],
];

/** The entries of the term index that belong to a phone number `0300-1234567`. */
const toTerms = (phone: Value | undefined) => {
  const [area = '', rest = ''] = String(phone).split('-');
  return [rest, area + rest, `<${[...(area + rest)].reverse().join('')}`];
};

function* editStudent(id: string, body: Body): Save {
  const [before] = yield* run(
    `select s.*, f.father_name, f.father_phone from students s join families f on f.student_id = s.id
      where s.id = ?${forUpdate}`,
    id,
  );
  const [gone, added] = [toTerms(before?.phone_number), toTerms(body.phone_number)];
  const text = gone.reduce(
    (all, term, i) => all.replaceAll(term, added[i] ?? ''),
    String(before?.search_text ?? ''),
  );
  const student = {
    ...body,
    fsc_marks: Number(body.fsc_marks) * 100,
    matric_marks: Number(body.matric_marks) * 100,
  };
  const values = STUDENT_COLUMNS.map(
    (name) => new Map<string, Value>(Object.entries(student)).get(name) ?? null,
  );
  yield* run(
    `update students set ${STUDENT_COLUMNS.map((name) => `${name} = ?`).join()}, search_text = ?, version = version + 1
      where id = ?`,
    ...values,
    text,
    id,
  );
  yield* run('delete from student_terms where student_id = ? and term in (?, ?, ?)', id, ...gone);
  yield* run(
    'insert into student_terms (student_id, term) values (?, ?), (?, ?), (?, ?)',
    ...added.flatMap((term) => [id, term]),
  );
  yield* record('student', id, before ?? null, student);
  return { message: 'Student entry updated successfully', student };
}

function* storeCell(sheetId: number, { cells }: { cells: Body[] }): Save {
  const [cell] = cells;
  const [id, component, value] = [cell?.student_id ?? '', String(cell?.component_id), cell?.value ?? null];
  const [sheet] = yield* run(`select * from sheets s where sheet_id = ?${forUpdate}`, sheetId);
  const [row] = yield* run('select cells from sheet_rows where sheet_id = ? and student_id = ?', sheetId, id);
  const stored: Body = { ...JSON.parse(String(row?.cells)), [component]: value };
  const version = Number(sheet?.version) + 1;
  yield* run('update sheets set version = ? where sheet_id = ?', version, sheetId);
  yield* run(
    'update sheet_rows set cells = ?, filled = ?, total = ?, version = ? where sheet_id = ? and student_id = ?',
    ...[JSON.stringify(stored), Object.keys(stored).length, value, version, sheetId, id],
  );
  yield* record('sheet', sheetId, { [component]: cell?.was ?? null }, { [component]: value });
  return { version, stored: 1, conflicts: [], rows: [{ student_id: id, cells: stored, total: value }] };
}

function toSave({ method, url = '' }: IncomingMessage, body: Body & { cells: Body[] }): Save {
  if (method === 'POST') return createSemester(body);
  const [, kind, id = ''] = /^\/api\/(students\/academics|students|sheets)\/([^/]+)/.exec(url) ?? [];
  if (kind === 'students/academics') return editSemester(Number(id), body);
  return kind === 'students' ? editStudent(id, body) : storeCell(Number(id), body);
}

const store = isPostgres ? openPostgres(source) : await openSqlite(source);

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', async () => {
    const body = JSON.parse(Buffer.concat(pieces).toString());
    await store.findSession(hashToken(request.headers.authorization?.slice('Bearer '.length) ?? ''));
    const reply = JSON.stringify(await store.run(toSave(request, body)));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(reply),
    });
    response.end(reply);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' ? address?.port : ''}\n`);
});
