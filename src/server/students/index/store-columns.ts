import { preparedUpdate } from '../../db/prepared-query.ts';
import type { StudentsTable, Tx } from '../../db/schema.ts';
import { DERIVED_COLUMNS, type DerivedColumns } from './derived-columns.ts';

type Name = keyof DerivedColumns;

/** Columns that change together. Only groups with a change are written: most columns are in many indexes. */
const GROUPS: readonly (readonly Name[])[] = [
  ['cgpa', 'cgpa_semester', 'final_cgpa', 'fall', 'standing', 'is_complete'],
  ['policy_id'],
  ['search_text'],
  ['id_key', 'name_key', 'degree_key', 'is_active'],
];

const prepareUpdate = (names: readonly Name[]) =>
  preparedUpdate<'id', string>(
    'students',
    { id: 'text' },
    Object.fromEntries(names.map((name) => [name, DERIVED_COLUMNS[name]])),
  );

/** By the names of their columns. */
const updates = new Map<string, ReturnType<typeof prepareUpdate>>();

/** A student as stored, with the columns that are about to be written. */
type Stored = Pick<StudentsTable, 'id'> & Partial<DerivedColumns>;

/** Stores the derived columns of students, as far as they differ from the stored ones. */
export async function storeColumns(
  tx: Tx,
  students: readonly { before: Stored; after: Stored }[],
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
