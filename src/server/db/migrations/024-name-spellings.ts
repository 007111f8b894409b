import { sql } from 'kysely';
import {
  nameSortKey,
  naturalSortKey,
  searchTerms,
  searchText,
  textBits,
} from '../../../domain/search-text.ts';
import { jsonToRows } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * Writes sort keys, search texts and search terms again: names are indexed in one spelling, and the terms say what is found
 * first. By the rules of the program that migrates, as in 006.
 */
export async function up(db: Tx): Promise<void> {
  await db.deleteFrom('student_terms').execute();
  for (let last = ''; ; ) {
    const students = await findStudents(db, last);
    const end = students.at(-1);
    if (end === undefined) return;
    last = end.id;
    const formerIds = await findFormerIds(db, students);
    const rows = students.map((student) => {
      const search_text = searchText({ ...student, former_ids: formerIds.get(student.id) ?? [] });
      return {
        id: student.id,
        name_key: nameSortKey(`${student.first_name} ${student.last_name}`),
        degree_key: naturalSortKey(`${student.department}-${student.degree}-${student.syn}`),
        search_text,
        word_bits: textBits(search_text),
      };
    });
    // Most rows stay as they are, so their nine index entries do, too.
    await sql`update students set name_key = l.name_key, degree_key = l.degree_key,
        search_text = l.search_text, word_bits = l.word_bits
      from ${jsonToRows(db, rows, COLUMNS)} l where students.id = l.id and (students.name_key <> l.name_key
        or students.degree_key <> l.degree_key or students.search_text <> l.search_text
        or students.word_bits <> l.word_bits)`.execute(db);
    const terms = rows.flatMap(({ id, search_text }) =>
      searchTerms(search_text).map((term) => ({ term, student_id: id })),
    );
    await sql`insert into student_terms (term, student_id)
      select term, student_id from ${jsonToRows(db, terms, { term: 'text', student_id: 'text' })} l`.execute(
      db,
    );
  }
}

/** Students per statement. */
const PAGE = 500;
const COLUMNS = {
  id: 'text',
  name_key: 'text',
  degree_key: 'text',
  search_text: 'text',
  word_bits: 'integer',
} as const;

const findStudents = (db: Tx, after: string) =>
  db
    .selectFrom('students as s')
    .leftJoin('families as f', 'f.student_id', 's.id')
    .select(['s.id', 's.first_name', 's.last_name', 's.phone_number', 's.department', 's.degree', 's.syn'])
    .select(['f.father_name', 'f.father_phone'])
    .where('s.id', '>', after)
    .orderBy('s.id')
    .limit(PAGE)
    .execute();

/** The former IDs of these students, in order. */
async function findFormerIds(db: Tx, students: readonly { id: string }[]) {
  const rows = await db
    .selectFrom('student_former_ids')
    .select(['student_id', 'former_id'])
    .where(
      'student_id',
      'in',
      students.map(({ id }) => id),
    )
    .orderBy('history_id')
    .execute();
  const formerIds = new Map<string, string[]>();
  for (const { student_id, former_id } of rows) {
    formerIds.set(student_id, [...(formerIds.get(student_id) ?? []), former_id]);
  }
  return formerIds;
}
