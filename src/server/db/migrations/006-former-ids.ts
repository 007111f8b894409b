import { sql } from 'kysely';
import { nameSortKey, naturalSortKey, searchTerms, searchText } from '../../../domain/search-text.ts';
import { columnTypes, jsonToRows, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Registration numbers that students had before, and the search of numbers by their end and of names in any script. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('student_former_ids')
      .addColumn('student_id', text, (c) => c.notNull().references('students.id').onDelete('cascade'))
      .addColumn('history_id', int, (c) => c.notNull().references('history.id'))
      .addColumn('former_id', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('student_former_ids_key', ['student_id', 'history_id']),
    { clustered: true },
  ).execute();
  await db.schema
    .createIndex('student_former_ids_by_former_id')
    .on('student_former_ids')
    .columns(['former_id', 'history_id'])
    .execute();
  await indexAgain(db);
}

/** Students per statement. */
const PAGE = 500;

/**
 * Writes sort keys and search terms again by the rules of this program, from `domain`: whatever program migrates,
 * its list has to find students by its own rules.
 */
async function indexAgain(db: Tx): Promise<void> {
  await db.deleteFrom('student_terms').execute();
  for (let last = ''; ; ) {
    const students = await db
      .selectFrom('students as s')
      .leftJoin('families as f', 'f.student_id', 's.id')
      .select(['s.id', 's.first_name', 's.last_name', 's.phone_number', 's.department', 's.degree', 's.syn'])
      .select(['f.father_name', 'f.father_phone'])
      .where('s.id', '>', last)
      .orderBy('s.id')
      .limit(PAGE)
      .execute();
    const end = students.at(-1);
    if (end === undefined) return;
    last = end.id;
    const rows = students.map((student) => ({
      id: student.id,
      name_key: nameSortKey(`${student.first_name} ${student.last_name}`),
      degree_key: naturalSortKey(`${student.department}-${student.degree}-${student.syn}`),
      search_text: searchText(student),
    }));
    const columns = { id: 'text', name_key: 'text', degree_key: 'text', search_text: 'text' } as const;
    await sql`update students set name_key = l.name_key, degree_key = l.degree_key, search_text = l.search_text
      from ${jsonToRows(db, rows, columns)} l where students.id = l.id`.execute(db);
    const terms = rows.flatMap(({ id, search_text }) =>
      searchTerms(search_text).map((term) => ({ term, student_id: id })),
    );
    await sql`insert into student_terms (term, student_id)
      select term, student_id from ${jsonToRows(db, terms, { term: 'text', student_id: 'text' })} l`.execute(
      db,
    );
  }
}
