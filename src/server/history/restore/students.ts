import { semesterUpdate } from '../../../contract/academics.ts';
import { familyInput } from '../../../contract/family.ts';
import { studentUpdate } from '../../../contract/students.ts';
import { fromFraction } from '../../../domain/school-marks.ts';
import { findSemester, updateSemester } from '../../academics/record-semester.ts';
import type { Db } from '../../db/schema.ts';
import { etag, versionPart } from '../../http/versions.ts';
import { presentFamily, presentStudent } from '../../students/present.ts';
import { findFamily, findStudent } from '../../students/queries.ts';
import { restoreStudent } from '../../students/restore-student.ts';
import { createFamily, updateFamily } from '../../students/write-family.ts';
import { updateStudent } from '../../students/write-student.ts';
import type { Entry } from '../chain.ts';
import { partOf, type State } from '../fields.ts';
import { checked, obstacle, type Plan } from './plan.ts';

const isGone = () =>
  obstacle(
    'This student has been deleted. Restore the entry of the deletion first; it brings back all of the record.',
  );

export async function planStudent(db: Db, entry: Entry, state: State): Promise<Plan> {
  const id = entry.entity_id;
  const row = await findStudent(db, id);
  if (entry.action === 'delete') {
    if (row !== undefined) {
      throw obstacle('There is a student with this ID again, so the old record can not be restored.');
    }
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        const { version } = await restoreStudent(tx, author, id, entry.id);
        return etag(versionPart.student(version));
      },
    };
  }
  if (row === undefined) throw isGone();
  const base = 'student' in state ? partOf(state, 'student') : state;
  const input = checked(studentUpdate, {
    ...base,
    fsc_marks: marksOf(base.fsc_marks),
    matric_marks: marksOf(base.matric_marks),
  });
  return {
    current: { ...presentStudent(row) },
    target: base,
    version: etag(versionPart.student(row.version)),
    apply: async (tx, author, ifMatch) => {
      const { version } = await updateStudent(tx, author, id, input, ifMatch);
      return etag(versionPart.student(version));
    },
  };
}

const marksOf = (fraction: unknown) => (typeof fraction === 'number' ? fromFraction(fraction) : fraction);

export async function planFamily(db: Db, { entity_id: id }: Entry, state: State): Promise<Plan> {
  if ((await findStudent(db, id)) === undefined) throw isGone();
  const row = await findFamily(db, id);
  const input = checked(familyInput, state);
  return {
    current: row === undefined ? {} : { ...presentFamily(row) },
    target: state,
    version: row && etag(versionPart.family(row.version)),
    apply: async (tx, author, ifMatch) => {
      const { version } =
        row === undefined
          ? await createFamily(tx, author, input)
          : await updateFamily(tx, author, id, input, ifMatch);
      return etag(versionPart.family(version));
    },
  };
}

export async function planSemester(db: Db, { entity_id: id }: Entry, state: State): Promise<Plan> {
  if ((await findStudent(db, id)) === undefined) throw isGone();
  const { academic_id: _, ...results } = state;
  const input = checked(semesterUpdate, results);
  const semester = await db
    .selectFrom('semesters')
    .select('academic_id')
    .where('student_id', '=', id)
    .where('semester', '=', input.semester ?? 0)
    .executeTakeFirst();
  if (semester === undefined) {
    throw obstacle(
      `Semester ${input.semester} is not recorded any more, so its results have no place. Enter them again.`,
    );
  }
  const { row, reply } = await findSemester(db, semester.academic_id);
  return {
    current: withoutAverages(reply),
    target: withoutAverages(state),
    version: etag(versionPart.semester(row.semester, row.version)),
    apply: async (tx, author, ifMatch) => {
      const { academic, version } = await updateSemester(tx, author, semester.academic_id, input, ifMatch);
      return etag(versionPart.semester(academic.semester, version));
    },
  };
}

/** Averages follow from the results. */
const withoutAverages = ({ sgpa: _, cgpa: __, ...results }: State): State => results;
