import type { Course } from '../../../src/contract/courses.ts';
import type { StudentPage } from '../../../src/contract/students/student-list.ts';
import { type Case, type Context, checkPlaces } from '../case.ts';
import { findSheets, makeImport } from '../faculty.ts';

const SIZES = [
  [1440, 900],
  [820, 1180],
  [390, 900],
] as const;

/** The pages of the sample faculty that need no more than their address. Those of somebody who is not signed in belong to signing in. */
const PATHS = [
  '/',
  '/students',
  '/students?q=khan',
  '/students/create',
  '/courses',
  '/courses/create',
  '/marksheets',
  '/marksheets/new',
  '/marksheets/notifications',
  '/insights',
  '/reports',
  '/documents',
  '/verify',
  '/imports',
  '/imports/new?kind=marks',
  '/bulk-changes',
  '/history',
  '/list-users',
  '/settings',
  '/settings/terms',
  '/settings/terms/create',
  '/settings/grading',
  '/settings/grading/create',
  '/someshit',
  '/no/such/page',
];

async function findPaths(context: Context): Promise<string[]> {
  const { admin } = context;
  const { students } = await admin.get<StudentPage>('/api/students?limit=1');
  const [student] = students;
  const [course] = await admin.get<Course[]>('/api/courses');
  if (student === undefined || course === undefined) throw new Error('The sample faculty is empty.');
  const sheets = await findSheets(context);
  const classOf = `department=${student.department}&degree=${student.degree}`;
  return [
    ...PATHS,
    ...['', '/edit', '/family/edit', '/academics/create', '/academics/edit', '/history'].map(
      (rest) => `/students/${student.id}${rest}`,
    ),
    ...['', '/edit', '/history'].map((rest) => `/courses/${course.course_id}${rest}`),
    ...['', '/setup', '/class', '/grades'].map((rest) => `/marksheets/${sheets.draft}${rest}`),
    `/marksheets/${sheets.submitted}/results`,
    ...['/results', '/changes'].map((rest) => `/marksheets/${sheets.confirmed}${rest}`),
    ...['ranking', 'result-summary', 'deans-list', 'degree-check'].map(
      (report) => `/reports?report=${report}&${classOf}&semester=1`,
    ),
    `/imports/${await makeImport(context)}`,
  ];
}

/** Notes whether the page is wider than the window in letters that are twice as large. */
async function checkLargeText({ tab, must }: Context, path: string): Promise<void> {
  const excess = await tab.run(() => {
    const root = document.documentElement;
    root.style.fontSize = '200%';
    const excess = window.probe.findExcess();
    root.style.fontSize = '';
    return excess ?? null;
  });
  must(excess === null, `${path} at 390 px, in large letters: ${excess}`);
}

/** On each page, in three widths and two themes, the pointer meets each control that is in sight. */
export const screens: Case = {
  name: 'screens',
  run: async (context) => {
    const { tab } = context;
    let sizes: readonly (readonly [number, number])[] = SIZES;
    for (const path of await findPaths(context)) {
      await tab.follow(path);
      for (const [width, height] of sizes) {
        await tab.driver.resize(width, height);
        await checkPlaces(context, `${path} at ${width} px`, ['light', 'dark']);
        if (width === 390) await checkLargeText(context, path);
      }
      // The next one begins as this one ends, so half of the pages are opened in the narrow window.
      sizes = sizes.toReversed();
    }
  },
};
