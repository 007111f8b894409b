import { sql } from 'kysely';
import { textBits } from '../../../domain/search-text.ts';
import { columnTypes, jsonToRows } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Bits of the words of each student in the indexes of the orders, so that a search in an order reads few other rows. */
export async function up(db: Tx): Promise<void> {
  const names = [...ORDERS.map((key) => `students_by_${key}`), ...LED.map(([name]) => name)];
  for (const name of names) await db.schema.dropIndex(name).execute();
  const { int } = columnTypes(db);
  await db.schema
    .alterTable('students')
    .addColumn('word_bits', int, (c) => c.notNull().defaultTo(0))
    .execute();
  await computeBits(db);
  await createIndexes(db);
}

const ORDERS = ['id_key', 'name_key', 'dob', 'degree_key', 'fsc_marks', 'matric_marks', 'cgpa'] as const;
const LED = [
  ['students_by_gender_and_name', 'gender', 'name_key', 'degree'],
  ['students_by_degree_and_id', 'degree', 'id_key', 'gender'],
] as const;

/** Students per statement. */
const PAGE = 2000;

/** By the rules of the program that migrates, as the search terms in 006. */
async function computeBits(db: Tx): Promise<void> {
  for (let last = ''; ; ) {
    const students = await db
      .selectFrom('students')
      .select(['id', 'search_text'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const end = students.at(-1);
    if (end === undefined) return;
    last = end.id;
    const rows = students.map(({ id, search_text }) => ({ id, word_bits: textBits(search_text) }));
    await sql`update students set word_bits = l.word_bits
      from ${jsonToRows(db, rows, { id: 'text', word_bits: 'integer' })} l where students.id = l.id`.execute(
      db,
    );
  }
}

/** As in 008, with the bits. */
async function createIndexes(db: Tx): Promise<void> {
  const branch = ['current_sem', 'department', 'is_active'] as const;
  for (const key of ORDERS) {
    const decided = [
      ...['degree', 'syn', 'gender', 'is_complete', 'fall', ...(key === 'cgpa' ? [] : ['cgpa'])],
      ...['status', 'standing', 'word_bits'],
    ];
    await db.schema
      .createIndex(`students_by_${key}`)
      .on('students')
      .columns([...branch, key, 'id', ...decided])
      .execute();
  }
  for (const [name, by, key, other] of LED) {
    const decided = ['syn', 'is_complete', 'fall', 'cgpa', 'status', 'standing', 'word_bits'];
    await db.schema
      .createIndex(name)
      .on('students')
      .columns([...branch, by, key, 'id', other, ...decided])
      .execute();
  }
}
