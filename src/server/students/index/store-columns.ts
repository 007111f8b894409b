import { sql } from 'kysely';
import { jsonRecordset } from '../../db/dialect/sql.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { StudentsTable, Tx } from '../../db/schema.ts';
import { DERIVED_COLUMNS, type DerivedColumns } from './derived-columns.ts';

type Name = keyof DerivedColumns;

/** Columns that change together. The others are not written: most are in many indexes. */
const GROUPS = {
  policy: ['policy_id'],
  search: ['search_text'],
  figures: ['cgpa', 'cgpa_semester', 'final_cgpa', 'fall', 'standing', 'is_complete'],
  others: ['id_key', 'name_key', 'degree_key', 'is_active'],
} as const satisfies Record<string, readonly Name[]>;
type Group = keyof typeof GROUPS;
const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);
const ALL = Object.keys(GROUPS).filter(isGroup);

/** A student as stored, with the columns that are about to be written. */
type Stored = Pick<StudentsTable, 'id'> & Partial<DerivedColumns>;

const updateColumns = preparedQueryVariants<never, readonly Group[]>((db, groups, value) => {
  const names = groups.flatMap((group) => GROUPS[group]);
  const types = Object.fromEntries(names.map((name) => [name, DERIVED_COLUMNS[name]]));
  const assignments = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`l.${name}`)}`);
  return sql`update students set ${sql.join(assignments)}
    from ${jsonRecordset(db, value('students'), { id: 'text', ...types })} l where students.id = l.id`;
});

/** Stores the derived columns of students, as far as they differ from the stored ones. */
export async function storeColumns(
  tx: Tx,
  students: readonly { before: Stored; after: Stored }[],
): Promise<void> {
  const changes = new Map<string, { groups: Group[]; rows: Stored[] }>();
  for (const { before, after } of students) {
    const groups = ALL.filter((group) => GROUPS[group].some((name) => before[name] !== after[name]));
    if (groups.length === 0) continue;
    const change = changes.get(groups.join()) ?? { groups, rows: [] };
    change.rows.push(after);
    changes.set(groups.join(), change);
  }
  for (const { groups, rows } of changes.values()) {
    const names = ['id', ...groups.flatMap((group) => GROUPS[group])];
    await updateColumns(tx, groups, { students: JSON.stringify(rows, names) });
  }
}
