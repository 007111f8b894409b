import type {
  ClassQuery,
  DegreeChecks,
  Ranking,
  RankingQuery,
  ResultSummary,
  SemesterReportQuery,
} from '../../contract/grading/reports.ts';
import { plural } from '../../domain/format-count.ts';
import { rankStudents, type SemesterResults, summariseResults } from '../../domain/grading/class-results.ts';
import { SEMESTER_COUNT, STATUSES } from '../../domain/student.ts';
import type { Db } from '../db/schema.ts';
import { checkDegrees } from '../students/audit/degree-check.ts';
import { type ClassStudent, findReportedStudents, type Results, readClass } from './class.ts';

/** A student in a row of a report. */
export const shown = ({
  id,
  first_name,
  last_name,
  syn,
}: Pick<ClassStudent, 'id' | 'first_name' | 'last_name' | 'syn'>) => ({
  id,
  first_name,
  last_name,
  syn,
});

const subjectCount = (count: number, lack: string) => `${plural(count, 'subject')} without ${lack}`;

/** Why a student can't be ranked; null for one who can. */
function reasonUnranked(
  { leftAs, results }: ClassStudent,
  semester: number | null,
  by: Ranking['by'],
): string | null {
  if (leftAs !== null) return STATUSES[leftAs];
  if (results === null)
    return semester === null ? 'No semester is recorded' : `Semester ${semester} is not recorded`;
  const provisional = by === 'cgpa' ? results.firstProvisional : results.isProvisional ? semester : null;
  if (provisional !== null) return `Semester ${provisional} is provisional`;
  if (results.subjects === 0) return `No subject in semester ${semester}`;
  if (results.graded + results.gradedBefore + results.ungraded === 0)
    return `No grade in semester ${semester}`;
  const ungraded = results.ungraded + results.ungradedBefore;
  if (ungraded > 0) return subjectCount(ungraded, 'a grade');
  const uncredited = results.uncredited + results.uncreditedBefore;
  return uncredited > 0 ? subjectCount(uncredited, 'credit hours') : null;
}

/** The class in the order of an average. */
export async function readRanking(db: Db, { by, ...asked }: RankingQuery): Promise<Ranking> {
  // A CGPA is of all semesters up to the reported one.
  const { semester, students } = await readClass(db, asked, { countsEarlier: by === 'cgpa' });
  const complete: (ClassStudent & { value: number })[] = [];
  const unranked: Ranking['unranked'] = [];
  for (const one of students) {
    const reason = reasonUnranked(one, semester, by);
    if (reason === null && one.results !== null) complete.push({ ...one, value: one.results[by] });
    else unranked.push({ ...shown(one), reason: reason ?? '' });
  }
  const ranked = rankStudents(complete).map(({ student, rank, percentile }) => ({
    rank,
    ...shown(student),
    value: student.value,
    percentile,
  }));
  return { semester, by, of: ranked.length, ranked, unranked };
}

type EnteredStudent = ClassStudent & { results: Results };

export const isEntered = (one: ClassStudent): one is EnteredStudent =>
  one.leftAs === null && one.results !== null;

export const isFinal = ({ results }: EnteredStudent) => !results.isProvisional;

const toSemesterResults = ({
  results: { sgpa, fails, subjects, graded, ungraded, isProvisional },
}: EnteredStudent): SemesterResults => ({
  sgpa,
  fails,
  isProvisional,
  isGraded: graded > 0,
  isComplete: subjects > 0 && ungraded === 0,
});

/** The results of the class in figures, with the students whom they count. */
export async function readResultSummary(db: Db, asked: SemesterReportQuery): Promise<ResultSummary> {
  const { semester, students } = await readClass(db, asked);
  const entered = students.filter(isEntered);
  return {
    semester,
    ...summariseResults(entered.map(toSemesterResults)),
    students: entered.filter(isFinal).map((one) => {
      const { sgpa, fails, isComplete, isGraded } = toSemesterResults(one);
      return {
        ...shown(one),
        sgpa,
        cgpa: one.results.cgpa,
        fails,
        is_complete: isComplete,
        is_graded: isGraded,
      };
    }),
  };
}

/** The results of a class as {@link readClass} answers it, in figures. */
export const summariseClass = (students: readonly ClassStudent[]) =>
  summariseResults(students.filter(isEntered).map(toSemesterResults));

/** Whether the students of the class in the last semester fulfil the conditions of the degree. */
export async function readDegreeChecks(db: Db, asked: ClassQuery): Promise<DegreeChecks> {
  const students = await findReportedStudents(db, asked, SEMESTER_COUNT);
  const checks = await checkDegrees(
    db,
    students.map(({ id }) => id),
  );
  const checked = students.flatMap((student) => {
    const check = checks.get(student.id);
    return check === undefined ? [] : { ...shown(student), ...check };
  });
  return { passed: checked.filter(({ passed }) => passed === true).length, students: checked };
}
