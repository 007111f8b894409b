import type { StudentInput } from '../../../contract/students/students.ts';
import type { ColumnTypes } from '../../db/dialect/sql.ts';
import { preparedUpdate } from '../../db/prepared-query.ts';
import type { StudentsTable, Tx } from '../../db/schema.ts';
import { DERIVED_COLUMNS, type StudentRow } from './derived-columns.ts';

/** Columns of a base entry, without the ID. */
export const BASE_COLUMNS = {
  first_name: 'text',
  last_name: 'text',
  dob: 'text',
  joining_date: 'text',
  phone_number: 'text',
  gender: 'text',
  fsc_marks: 'integer',
  fsc_year: 'integer',
  fsc_div: 'integer',
  matric_marks: 'integer',
  matric_year: 'integer',
  matric_div: 'integer',
  current_sem: 'integer',
  department: 'text',
  degree: 'text',
  syn: 'text',
  reason: 'text',
  img: 'text',
} as const satisfies ColumnTypes<Exclude<keyof StudentInput, 'id'>>;

const COLUMNS = {
  ...BASE_COLUMNS,
  version: 'integer',
  status: 'text',
  status_date: 'text',
  status_reason: 'text',
  ...DERIVED_COLUMNS,
} as const satisfies ColumnTypes<Exclude<keyof StudentsTable, 'id'>>;

type Name = keyof typeof COLUMNS;

/** Columns that change together. Only groups with a change are written: most columns are in many indexes. */
const GROUPS: readonly (readonly Name[])[] = [
  ['dob', 'gender', 'current_sem', 'department', 'degree', 'syn', 'status'],
  [
    'first_name',
    'last_name',
    'joining_date',
    'phone_number',
    'reason',
    'img',
    'version',
    'fsc_marks',
    'fsc_year',
    'fsc_div',
    'matric_marks',
    'matric_year',
    'matric_div',
    'status_date',
    'status_reason',
  ],
  ['cgpa', 'cgpa_semester', 'final_cgpa', 'fall', 'standing', 'is_complete'],
  ['policy_id'],
  ['search_text'],
  ['word_bits'],
  ['id_key', 'name_key', 'degree_key', 'is_active'],
];

const prepareUpdate = (names: readonly Name[]) =>
  preparedUpdate<'id', string>(
    'students',
    { id: 'text' },
    Object.fromEntries(names.map((name) => [name, COLUMNS[name]])),
  );

/** Updates by the names of their columns. */
const updates = new Map<string, ReturnType<typeof prepareUpdate>>();

/** A student as stored, with the columns that are about to be written. */
export type StoredColumns = Pick<StudentRow, 'id'> & Partial<Pick<StudentRow, Name>>;

/** Stores the columns of students, as far as they differ from the stored ones. */
export async function storeColumns(
  tx: Tx,
  students: readonly { before: StoredColumns; after: StoredColumns }[],
): Promise<void> {
  const changes = new Map<string, { names: Name[]; rows: Record<string, string | number | null>[] }>();
  for (const { before, after } of students) {
    const names = GROUPS.filter((group) => group.some((name) => before[name] !== after[name])).flat();
    if (names.length === 0) continue;
    const change = changes.get(names.join()) ?? { names, rows: [] };
    const values = names.map((name) => [name, after[name] ?? null]);
    change.rows.push({ id: after.id, ...Object.fromEntries(values) });
    changes.set(names.join(), change);
  }
  for (const [key, { names, rows }] of changes) {
    const update = updates.get(key) ?? prepareUpdate(names);
    updates.set(key, update);
    await update(tx, rows);
  }
}
