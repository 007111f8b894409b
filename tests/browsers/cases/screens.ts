import type { Course } from '../../../src/contract/courses.ts';
import { makeSheet } from '../../support/browser/mark-sheets.ts';
import { type Case, type Context, checkPlaces, openSession } from '../case.ts';
import { findSheets, findStudent, makeImport, makeSchemes } from '../faculty.ts';

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
  '/marksheets/open',
  '/insights',
  '/reports',
  '/documents',
  '/documents/holds',
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
  '/settings/schemes',
  '/settings/schemes/equivalents',
  '/someshit',
  '/no/such/page',
];

async function findPaths(context: Context): Promise<string[]> {
  const { admin } = context;
  const student = await findStudent(context);
  const [course] = await admin.get<Course[]>('/api/courses');
  if (course === undefined) throw new Error('The sample faculty has no course.');
  const schemes = await makeSchemes(context);
  const sheets = await findSheets(context);
  const classOf = `department=${student.department}&degree=${student.degree}`;
  return [
    ...PATHS,
    ...[
      ...['', '/edit', '/family/edit', '/academics/create', '/academics/edit'],
      ...['/scheme', '/documents', '/holds', '/terms', '/history'],
    ].map((rest) => `/students/${student.id}${rest}`),
    ...[schemes.inForce, schemes.draft, `${schemes.draft}/preview`].map(
      (rest) => `/settings/schemes/${rest}`,
    ),
    ...['', '/edit', '/history'].map((rest) => `/courses/${course.course_id}${rest}`),
    ...['', '/setup', '/class', '/grades'].map((rest) => `/marksheets/${sheets.draft}${rest}`),
    `/marksheets/${sheets.submitted}/results`,
    ...['/results', '/changes'].map((rest) => `/marksheets/${sheets.confirmed}${rest}`),
    ...['ranking', 'result-summary', 'deans-list', 'degree-check', 'audit', 'shortage'].map(
      (report) => `/reports?report=${report}&${classOf}&semester=1`,
    ),
    `/imports/${await makeImport(context)}`,
    `/imports/new?kind=scheme&scheme=${schemes.draft}`,
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

/** Looks at each page in three widths and two themes. */
async function walk(context: Context, paths: readonly string[]): Promise<void> {
  const { tab } = context;
  let sizes: readonly (readonly [number, number])[] = SIZES;
  for (const path of paths) {
    await tab.follow(path);
    for (const [width, height] of sizes) {
      await tab.driver.resize(width, height);
      await checkPlaces(context, `${path} at ${width} px`, ['light', 'dark']);
      if (width === 390) await checkLargeText(context, path);
    }
    // The next one begins as this one ends, so half of the pages are opened in the narrow window.
    sizes = sizes.toReversed();
  }
}

/** On each page the pointer meets each control that is in sight. */
export const screens: Case = {
  name: 'screens',
  run: async (context) => walk(context, await findPaths(context)),
};

/** A teacher sees their own sheets, and not those of others. */
export const teaching: Case = {
  name: 'teaching',
  run: async (context) => {
    const { tab, staff, admin, teacher, must } = context;
    const { sheet } = await makeSheet({ api: staff, admin }, [35, null]);
    const path = `/marksheets/${sheet.sheet_id}`;
    await staff.put(`/api${path.replace('marksheets', 'sheets')}/teachers`, { ids: [teacher.user.id] });
    await openSession(tab, teacher);
    await walk(context, ['/', '/marksheets', path, `${path}/class`, `${path}/grades`, `${path}/results`]);
    must(!(await tab.run(() => window.probe.text().includes('could not'))), 'a call was refused');
  },
};
