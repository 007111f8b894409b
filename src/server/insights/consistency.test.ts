import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aStudent } from '../../../tests/support/records.ts';
import type { Academic } from '../../contract/students/academics.ts';
import { recordReply, studentListReply } from '../../contract/students/students.ts';
import { SLOTS } from '../../contract/students/subject-slots.ts';
import { CGPA_BINS } from '../../domain/grading/cgpa-bins.ts';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { DEPARTMENT_CODES, SYNDICATES } from '../../domain/student.ts';

const COURSES = [1, 2, 3].map((course_id) => ({ ...aCourse(), course_id, course_code: `ME-${course_id}` }));

const ACTS = ['register', 'enter family', 'record', 'correct', 'move', 'delete', 'restore'] as const;

const act = fc.record({
  /** Weighted towards the steps that a record needs before it contributes to the figures. */
  kind: fc.constantFrom(...ACTS, ...ACTS.slice(0, 4), 'record' as const),
  id: fc.constantFrom('S1', 'S2', 'S3', 'S4', 'S5'),
  place: fc.record({
    department: fc.constantFrom(...DEPARTMENT_CODES.slice(0, 3)),
    degree: fc.constantFrom('9', '44'),
    syn: fc.constantFrom(...SYNDICATES),
    current_sem: fc.integer({ min: 1, max: 5 }),
  }),
  /** A course may occur twice or without a grade. */
  subjects: fc.array(
    fc.record({
      course_id: fc.constantFrom(1, 2, 3, null),
      credits: fc.constantFrom(1, 3, 4, null),
      grade: fc.constantFrom(...GRADE_LETTERS, null),
    }),
    { maxLength: 3 },
  ),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/** Sends the action’s request; it changes nothing if refused. */
async function perform(by: Person, { kind, id, place, subjects }: Act): Promise<void> {
  const slots = Object.fromEntries(
    subjects.flatMap(({ course_id, credits, grade }, i) => [
      [`subject_${i + 1}`, 'Statics'],
      [`subject_${i + 1}_id`, course_id],
      [`subj_credit_${i + 1}`, credits],
      [`subj_grade_${i + 1}`, grade],
    ]),
  );
  const url = `/api/students/${id}`;
  const recorded = async () => recordReply.safeParse((await by.get(url)).body).data?.academics ?? [];
  if (kind === 'register') await by.post('/api/students', aStudent({ id, ...place }));
  if (kind === 'move') await by.put(url, aStudent({ id, ...place }));
  if (kind === 'enter family') await by.post('/api/students/family', aFamily(id));
  if (kind === 'record') {
    const semester = (await recorded()).length + 1;
    await by.post('/api/students/academics', { student_id: id, semester, ...slots });
  }
  if (kind === 'correct') {
    const [first] = await recorded();
    if (first !== undefined) await by.put(`/api/students/academics/${first.academic_id}`, slots);
  }
  if (kind === 'delete') await by.delete(url);
  if (kind === 'restore') await by.post(`${url}/restore`);
}

const getSubjects = (academic: Academic) =>
  SLOTS.map((slot) => ({
    course_id: academic[`subject_${slot}_id`],
    credits: academic[`subj_credit_${slot}`],
    points: academic[`subj_grade_${slot}`],
  }));

/** Reads every record separately; averages in whole hundredths. */
async function readAll(by: Person) {
  const students = studentListReply.parse((await by.get('/api')).body);
  return Promise.all(
    students.map(async (student) => {
      const record = recordReply.parse((await by.get(`/api/students/${student.id}`)).body);
      const academics = record?.academics ?? [];
      const cgpa = record?.academics_summary.latest_cgpa ?? null;
      const [before, latest] = academics
        .filter((one) => getSubjects(one).some(({ credits, points }) => credits !== null && points !== null))
        .map(({ sgpa }) => Math.round(sgpa * 100))
        .slice(-2);
      return {
        ...student,
        cgpa: cgpa === null ? null : Math.round(cgpa * 100),
        fall: before === undefined || latest === undefined ? 0 : before - latest,
        isComplete: record !== null && academics.length >= student.current_sem - 1,
        results: academics.flatMap(getSubjects),
      };
    }),
  );
}
type StudentRecords = Awaited<ReturnType<typeof readAll>>;

const NO_FINAL = { students: 0, median_tenth: null };

const count = <Of>(all: readonly Of[], is: (one: Of) => boolean) => all.filter(is).length;

function expectedGroups(all: StudentRecords, split: 'department' | 'degree' | 'syn') {
  const known: readonly string[] = { department: DEPARTMENT_CODES, degree: ['9', '44'], syn: SYNDICATES }[
    split
  ];
  const present = known.filter((value) => all.some((one) => one[split] === value));
  return present.map((value) => {
    const own = all.filter((one) => one[split] === value);
    const cgpas = own.flatMap(({ cgpa }) => cgpa ?? []).toSorted((a, b) => a - b);
    const median = cgpas[Math.ceil(cgpas.length / 2) - 1];
    return {
      value,
      students: own.length,
      bins: Array.from({ length: CGPA_BINS }, (_, bin) =>
        count(cgpas, (cgpa) => cgpa >= bin * 20 && (cgpa < (bin + 1) * 20 || bin === CGPA_BINS - 1)),
      ),
      median_tenth: median === undefined ? null : Math.floor(median / 10),
      // Nobody gets past the fifth semester.
      final: NO_FINAL,
    };
  });
}

function expectedCounts(among: StudentRecords, isMet: (one: StudentRecords[number]) => boolean) {
  return DEPARTMENT_CODES.flatMap((department) => {
    const own = among.filter((one) => one.department === department);
    return own.length === 0 ? [] : [{ department, students: count(own, isMet), of: own.length }];
  });
}

function expectedResults(all: StudentRecords) {
  const results = all.flatMap((one) => one.results).filter(({ points }) => points !== null);
  return COURSES.flatMap(({ course_id, course_code, course_name }) => {
    const own = results.filter((one) => one.course_id === course_id);
    const failed = count(own, ({ points }) => points === 0);
    return own.length === 0 ? [] : [{ course_id, course_code, course_name, results: own.length, failed }];
  });
}

function expectedClasses(all: StudentRecords) {
  const keys = all.map(({ department, current_sem, syn }) => `${department} ${current_sem} ${syn}`);
  return [...new Set(keys)].toSorted().map((key) => {
    const own = all.filter((_, i) => keys[i] === key);
    const [department, current_sem, syn] = key.split(' ');
    const incomplete = count(own, ({ isComplete }) => !isComplete);
    return { department, current_sem: Number(current_sem), syn, students: own.length, incomplete };
  });
}

describe.each(freshApps())('figures of all students, on $name', ({ test }) => {
  test('equal the sums over the records, after any changes', async ({ admin }) => {
    for (const course of COURSES) await admin.post('/api/courses', course);
    const figures = async (panel: string) => (await admin.get(`/api/insights/${panel}`)).body;
    const acts = fc.array(act, { minLength: 30, maxLength: 40 });
    const limits = fc.record({
      below: fc.integer({ min: 0, max: 400 }),
      by: fc.integer({ min: 1, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(acts, limits, async (all, { below, by }) => {
        for (const one of all) await perform(admin, one);
        const records = await readAll(admin);
        for (const split of ['department', 'degree', 'syn'] as const) {
          expect(await figures(`cgpas?split=${split}`)).toEqual({
            split,
            groups: expectedGroups(records, split),
          });
        }
        const withCgpa = records.filter(({ cgpa }) => cgpa !== null);
        expect(await figures(`low-cgpas?cgpa_below=${below / 100}`)).toEqual({
          cgpa_below: below / 100,
          departments: expectedCounts(withCgpa, ({ cgpa }) => cgpa !== null && cgpa < below),
        });
        expect(await figures(`falls?fell_by=${by / 100}`)).toEqual({
          fell_by: by / 100,
          departments: expectedCounts(records, ({ fall }) => fall >= by),
        });
        expect(await figures('pass-rates')).toEqual(expectedResults(records));
        expect(await figures('class-sizes')).toEqual(expectedClasses(records));
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
