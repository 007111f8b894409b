import path from 'node:path';
import { PAGE_SIZE } from '../../src/contract/students/student-list.ts';
import { nameWords } from '../../src/domain/search-text.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT } from '../../src/domain/student.ts';
import {
  loadSqliteEngine,
  type SqliteDatabase,
  type SqliteValue,
} from '../../src/server/db/sqlite/engine.ts';
import { FIRST_NAMES_F, FIRST_NAMES_M } from '../../src/server/seed/names.ts';
import { type Random, seededRandom } from '../../src/server/seed/random.ts';
import { encodeCursor } from '../../src/server/students/list/cursor.ts';

/** A request of the list, in variations about different students. */
export interface ListCall {
  group: 'Pages' | 'Searches' | 'Filters and orders';
  name: string;
  paths: string[];
  /** The minimal statement that finds the ids of the same students, in the order of the page. */
  bare: { sql: string; parameters: SqliteValue[][] };
}

interface Sample {
  id: string;
  id_key: string;
  name_key: string;
  first_name: string;
  last_name: string;
  phone_number: string;
  father_name: string;
  department: string;
  syn: string;
}

/** Variations per request, each about another student. */
const VARIATIONS = 40;
const ROWS = Number(process.env.SIMS_BENCH_ROWS || PAGE_SIZE.usual);

/** The requests to measure, about active students of the faculty in a data folder. */
export async function listCalls(dataDir: string): Promise<ListCall[]> {
  const database = (await loadSqliteEngine()).open(path.join(dataDir, 'sims.db'), { readOnly: true });
  try {
    const random = seededRandom(5);
    const people = sample(database, random, VARIATIONS);
    return [...pages(people), ...searches(database, people), ...filters(people)];
  } finally {
    database.close();
  }
}

/** Chosen among all ids: their numbers have gaps, so a number between the first and the last would often mean the same student. */
function sample(database: SqliteDatabase, random: Random, count: number): Sample[] {
  const ids = database.prepare('select id from students where is_active = 1 order by id').all() as {
    id: string;
  }[];
  const one = database.prepare(
    `select s.id, id_key, name_key, first_name, last_name, phone_number, father_name, department, syn
      from students s join families on student_id = s.id where s.id = ?`,
  );
  return Array.from(
    { length: count },
    () => one.all(ids[random.whole(0, ids.length - 1)]?.id ?? '') as Sample[],
  ).flat();
}

const query = (parts: Record<string, string | number>) =>
  `/api/students?${new URLSearchParams(Object.entries({ limit: ROWS, ...parts }).map(([name, value]): [string, string] => [name, String(value)]))}`;

function pages(people: readonly Sample[]): ListCall[] {
  const after = (sort: 'id' | 'name', key: string, { id }: Sample) =>
    encodeCursor({
      by: 'order',
      sort,
      direction: sort === 'id' ? 'descending' : 'ascending',
      key,
      id,
      part: 'active',
    });
  return [
    {
      group: 'Pages',
      name: 'The first page',
      paths: [query({})],
      bare: { sql: merged('id_key', { descending: true }), parameters: [[]] },
    },
    {
      group: 'Pages',
      name: 'A page in the middle',
      paths: people.map((one) => query({ cursor: after('id', one.id_key, one) })),
      bare: {
        sql: merged('id_key', { descending: true, beyond: true }),
        parameters: people.map(({ id, id_key }) => [id_key, id]),
      },
    },
    {
      group: 'Pages',
      name: 'A page in the middle, by name',
      paths: people.map((one) => query({ sort: 'name', cursor: after('name', one.name_key, one) })),
      bare: {
        sql: merged('name_key', { beyond: true }),
        parameters: people.map(({ id, name_key }) => [name_key, id]),
      },
    },
  ];
}

/** Merges the students of all departments and semesters into one order, the active ones first, as every sort index has them. */
function merged(key: string, { condition = '1 = 1', descending = false, beyond = false }): string {
  const [way, sign] = descending ? ['desc', '<'] : ['asc', '>'];
  const part = (isActive: 0 | 1, place = '') => {
    const branches = Array.from({ length: SEMESTER_COUNT }, (_, i) =>
      DEPARTMENT_CODES.map(
        (department) =>
          `select ${key}, id from students where current_sem = ${i + 1} and department = '${department}'
            and is_active = ${isActive} and ${condition} ${place}`,
      ),
    ).flat();
    return `select id from (${branches.join(' union all ')} order by ${key} ${way}, id ${way} limit ${ROWS})`;
  };
  // Within its limit, the second part is not read.
  return `${part(1, beyond ? `and (${key}, id) ${sign} (?1, ?2)` : '')} union all ${part(0)} limit ${ROWS}`;
}

function searches(database: SqliteDatabase, people: readonly Sample[]): ListCall[] {
  const beginnings = [...FIRST_NAMES_M.slice(0, 12), ...FIRST_NAMES_F.slice(0, 12)].map((name) =>
    name.slice(0, 3),
  );
  const phone = (text: string) => text.replaceAll(' ', '');
  return [
    searchCall(database, 'Three letters of a common name', beginnings),
    searchCall(
      database,
      'A full name',
      people.map((one) => `${one.first_name} ${one.last_name}`),
    ),
    searchCall(
      database,
      'A father’s name',
      people.map(({ father_name }) => father_name),
    ),
    searchCall(
      database,
      'An ID',
      people.map(({ id }) => id),
    ),
    {
      group: 'Searches',
      name: 'Three letters, by CGPA',
      paths: beginnings.map((q) => query({ q, sort: 'cgpa', direction: 'descending' })),
      bare: {
        sql: merged('cgpa', { condition: 'instr(search_text, ?1)', descending: true }),
        parameters: beginnings.map((q) => [` ${q.toLowerCase()}`]),
      },
    },
    searchCall(
      database,
      'A phone number',
      people.map(({ phone_number }) => phone(phone_number)),
    ),
  ];
}

/** A search: finds the students with its rarest word by index, then filters by the other words. */
function searchCall(database: SqliteDatabase, name: string, texts: readonly string[]): ListCall {
  const holders = database.prepare('select count(*) as n from student_terms where term >= ? and term < ?');
  const upTo = (word: string) => `${word}\u{10ffff}`;
  const parameters = texts.map((text) => {
    const words = nameWords(text);
    const count = (start: string) => Number((holders.all(start, upTo(start)) as { n: number }[])[0]?.n);
    // Of a name, or of another line: where most have it.
    const starts = words.map((word) => (count(word) >= count(`~${word}`) ? word : `~${word}`));
    const counts = starts.map(count);
    const at = counts.indexOf(Math.min(...counts));
    const rarest = starts[at] ?? '';
    const others = words.filter((_, i) => i !== at).map((word) => ` ${word}`);
    return [rarest, upTo(rarest), ...[0, 1, 2, 3].map((i) => others[i] ?? '')];
  });
  return {
    group: 'Searches',
    name,
    paths: texts.map((q) => query({ q })),
    bare: {
      sql: `select distinct id from student_terms cross join students on id = student_id
        where term >= ?1 and term < ?2 and instr(search_text, ?3) and instr(search_text, ?4)
          and instr(search_text, ?5) and instr(search_text, ?6) limit ${ROWS}`,
      parameters,
    },
  };
}

function filters(people: readonly Sample[]): ListCall[] {
  return [
    {
      group: 'Filters and orders',
      name: 'A syndicate by CGPA',
      paths: people.map(({ department, syn }) =>
        query({ department, syn, current_sem: SEMESTER_COUNT, sort: 'cgpa', direction: 'descending' }),
      ),
      bare: {
        sql: `select id from students where department = ?1 and syn = ?2 and current_sem = ?3
          order by is_active desc, cgpa desc, id desc limit ${ROWS}`,
        parameters: people.map(({ department, syn }) => [department, syn, SEMESTER_COUNT]),
      },
    },
    {
      group: 'Filters and orders',
      name: 'All women by name',
      paths: [query({ gender: 'F', sort: 'name' })],
      bare: { sql: merged('name_key', { condition: "gender = 'F'" }), parameters: [[]] },
    },
    {
      group: 'Filters and orders',
      name: 'All incomplete by name',
      paths: [query({ incomplete: 'true', sort: 'name' })],
      bare: { sql: merged('name_key', { condition: 'is_complete = 0' }), parameters: [[]] },
    },
  ];
}
