import type { OpenableClass } from '../../../contract/marksheets/openings.ts';
import type { Db } from '../../db/schema.ts';
import { schemeFinder } from '../../students/audit/schemes.ts';
import { requireTermColumns } from '../registration/list-registrations.ts';

/** The classes with active students, by the semester that these are in. */
export async function listClasses(db: Db, termId: number): Promise<OpenableClass[]> {
  await requireTermColumns(db, termId);
  const classes = await db
    .selectFrom('batch_counts')
    .select((eb) => ['department', 'degree', 'current_sem as semester', eb.fn.sum('students').as('students')])
    .where('status', '=', 'active')
    .groupBy(['department', 'degree', 'current_sem'])
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .orderBy('department')
    .orderBy('degree')
    .orderBy('current_sem')
    .execute();
  const findScheme = schemeFinder(db);
  const found: OpenableClass[] = [];
  for (const { students, ...ofClass } of classes) {
    const scheme = await findScheme(ofClass);
    const rows = scheme?.rows.filter(({ semester }) => semester === ofClass.semester).length ?? 0;
    found.push({
      ...{ ...ofClass, students: Number(students) },
      scheme: scheme === undefined ? null : { scheme_id: scheme.scheme_id, number: scheme.number, rows },
    });
  }
  return found;
}
