import { gpaStanding } from '../../domain/gpa.ts';
import { graded } from '../academics/subjects.ts';
import type { Db } from '../db/schema.ts';
import { pagesOfIds } from './pages-of-ids.ts';

/** Semesters without a hole, whose averages are those of their subjects. */
export async function* wrongAverages(db: Db): AsyncGenerator<string> {
  for await (const ids of pagesOfIds(db)) {
    const semesters = await db
      .selectFrom('semesters')
      .select(['student_id', 'semester', 'sgpa', 'cgpa'])
      .where('student_id', 'in', ids)
      .orderBy('student_id')
      .orderBy('semester')
      .execute();
    const subjects = await db
      .selectFrom('semester_subjects')
      .select(['student_id', 'semester', 'credits', 'half_points'])
      .where('student_id', 'in', ids)
      .execute();
    const subjectsOf = grouped(subjects, ({ student_id, semester }) => `${semester} ${student_id}`);
    for (const [id, own] of grouped(semesters, ({ student_id }) => student_id)) {
      const standing = gpaStanding(
        own.map(({ semester }) => (subjectsOf.get(`${semester} ${id}`) ?? []).map(graded)),
      );
      for (const [i, { semester, sgpa, cgpa }] of own.entries()) {
        if (semester !== i + 1)
          yield `Student ${id}: semester ${i + 1} is missing before semester ${semester}.`;
        const [s, c] = [standing[i]?.sgpa ?? 0, standing[i]?.cgpa ?? 0].map((points) =>
          Math.round(points * 100),
        );
        if (s === sgpa && c === cgpa) continue;
        yield `Student ${id}, semester ${semester}: SGPA ${sgpa}, CGPA ${cgpa} (in hundredths), but the subjects come to ${s} and ${c}.`;
      }
    }
  }
}

function grouped<Of>(all: readonly Of[], by: (one: Of) => string): Map<string, Of[]> {
  const groups = new Map<string, Of[]>();
  for (const one of all) {
    const group = groups.get(by(one));
    if (group === undefined) groups.set(by(one), [one]);
    else group.push(one);
  }
  return groups;
}
