import { type Case, type Context, checkPlaces } from '../case.ts';

const WIDTHS = [1440, 820, 390];

/** The pages of the sample faculty that need no more than their address. */
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
  '/imports',
  '/imports/new?kind=marks',
  '/bulk-changes',
  '/history',
  '/list-users',
  '/settings',
  '/settings/terms',
  '/settings/grading',
  '/someshit',
  '/no/such/page',
];

async function findPaths({ admin }: Context): Promise<string[]> {
  const { students } = await admin.get<{ students: { id: string }[] }>('/api/students');
  const sheets = await admin.get<{ sheet_id: number; state: string }[]>('/api/sheets');
  const courses = await admin.get<{ course_id: number }[]>('/api/courses');
  const id = students[0]?.id;
  const course = courses[0]?.course_id;
  const draft = sheets.find(({ state }) => state === 'draft')?.sheet_id;
  return [
    ...PATHS,
    ...['', '/edit', '/family/edit', '/academics/edit', '/history'].map((rest) => `/students/${id}${rest}`),
    ...['', '/edit'].map((rest) => `/courses/${course}${rest}`),
    ...['', '/setup', '/class', '/grades'].map((rest) => `/marksheets/${draft}${rest}`),
  ];
}

/** On each page, in three widths and two themes, the pointer meets each control that is in sight. */
export const screens: Case = {
  name: 'screens',
  run: async (context) => {
    const { tab } = context;
    const paths = await findPaths(context);
    for (const width of WIDTHS) {
      await tab.driver.resize(width, width === 820 ? 1180 : 900);
      for (const path of paths) {
        await tab.follow(path);
        for (const theme of ['light', 'dark']) {
          await tab.run((theme) => {
            document.documentElement.dataset.theme = theme;
          }, theme);
          await checkPlaces(context, `${path} at ${width} px, ${theme}`);
        }
      }
    }
  },
};
