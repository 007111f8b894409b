import { expect, type Page } from '@playwright/test';
import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import type { Api } from '../api.ts';
import { aHold } from '../app/holds.ts';
import { unique } from '../records.ts';
import { expectNoSeriousAxeFindings } from './accessibility.ts';
import { waitForHistory } from './fixtures.ts';
import { addCourses, addDraft, addScheme } from './schemes.ts';

export interface Screen {
  name: string;
  /** Opens the screen in the described state from any other one and waits until it is shown. */
  open: (page: Page, api: Api) => Promise<void>;
}

/**
 * Waits until the screen with this title is shown; the name of its student or course may come before it. Checking the URL is not enough: it changes while the previous
 * screen, whose fields and buttons may have the same names, is still shown.
 */
export const expectScreen = (page: Page, title: string): Promise<void> =>
  expect(page).toHaveTitle(new RegExp(`(^| · )${title} · Student Information Management System$`));

/**
 * Opens a path as a link of the application does. Loading the application again would take most of the time of a
 * test. Returns when the new page is rendered: that is when the application sets the title.
 */
export async function follow(page: Page, path: string): Promise<void> {
  await waitForHistory(page);
  await page.evaluate((path) => {
    document.title = '';
    history.pushState(null, '', path);
  }, path);
  await page.waitForFunction(() => document.title !== '');
}

/** Chooses an entry of the menu 'More', with the keyboard. */
export async function chooseInMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  const item = page.getByRole('menuitem', { name: entry });
  await expect(page.locator('[role="menuitem"]:focus')).toHaveCount(1);
  await item.press('Enter');
}

const screen = (name: string, path: string, heading: string): Screen => ({
  name,
  open: async (page) => {
    await follow(page, path);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  },
});

const RESULTS = [
  [
    { title: 'Introduction to Engineering Thermodynamics and Heat Transfer', credits: 3, grade: 'A' },
    { title: 'Calculus', credits: 4, grade: 'F' },
  ],
  [{ title: 'Databases', credits: 3, grade: 'B+' }],
] as const;

/** Uploads rows of students that lack most fields, and answers the number of the import. */
async function uploadRows(api: Api): Promise<number> {
  const text = `CMS ID,Name,DOB\nT-1,${'a-word-without-an-end'.repeat(4)} Khan,01/02/2005\nT 2,Ali Raza,02/02/2005\n`;
  const reply = await api.post<{ import: { import_id: number } }>('/api/imports', { kind: 'students', text });
  return reply.import.import_id;
}

async function expectNothingWiderThanWindow(page: Page, font: string): Promise<void> {
  const tooWide = () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  await expect.poll(tooWide, { message: `pixels wider than the window, in ${font}` }).toBeLessThanOrEqual(0);
}

/** Checks the page as it is in both themes, and at the smallest width. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoSeriousAxeFindings(page);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  // The elements are the same, so only their contrast is checked again.
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await expectNoSidewaysScrolling(page);
  if (size !== null) await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Fails if the page scrolls sideways, in the application's font or in the fallback font shown until it is loaded. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  await expectNothingWiderThanWindow(page, 'its own font');
  await page.evaluate(() => {
    const root = document.documentElement;
    const fonts = getComputedStyle(root).getPropertyValue('--ff-sans').split(',');
    root.style.setProperty('--ff-sans', fonts.filter((font) => !font.includes('Hanken Grotesk')).join());
  });
  await expectNothingWiderThanWindow(page, 'another font');
  await page.evaluate(() => document.documentElement.style.removeProperty('--ff-sans'));
}

/** What a person who is not signed in sees. */
export const GUEST_SCREENS: readonly Screen[] = [
  screen('Login', '/login', 'Welcome to the Login Page'),
  screen('Register', '/register', 'Welcome to the Registeration Page'),
  screen('Recover Password', '/forgot-password', 'Recover Password'),
  screen('Document verification', '/verify', 'Verify a document'),
];

/* Every screen for staff, with data where it shows data, and with errors where it can show them. */

export const STUDENT_SCREENS: readonly Screen[] = [
  {
    name: 'Students',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      // The whole list may have the student below what is rendered.
      await follow(page, `/students?q=${id}`);
      await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
    },
  },
  screen('Create an Entry', '/students/create', 'Create an Entry'),
  {
    name: 'Create an Entry, refused',
    open: async (page) => {
      await follow(page, '/students/create');
      await page.getByRole('button', { name: 'Create Entry' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'Family data entry',
    open: async (page, api) => {
      const { id } = await api.createStudent();
      await follow(page, `/students/${id}/family/create`);
      await expect(page.getByRole('button', { name: 'Create Entry' })).toBeVisible();
    },
  },
  {
    name: 'Academics data entry',
    open: async (page, api) => {
      const { id } = await api.createRecord([], { current_sem: 8 });
      await follow(page, `/students/${id}/academics/create`);
      await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Add subject' }).click();
    },
  },
  {
    name: 'Single student',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS, { current_sem: 5, reason: 'Medical leave.' });
      await follow(page, `/students/${id}`);
      await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
    },
  },
  {
    name: 'Semester overlay',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}`);
      await page.getByRole('button', { name: /^Semester 1 / }).click();
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'Calculus' })).toBeVisible();
    },
  },
  {
    name: 'CGPA explained',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS, { current_sem: 5 });
      await follow(page, `/students/${id}`);
      await page.getByRole('button', { name: 'Explain' }).click();
      await expect(page.getByRole('table', { name: 'Subjects of semester 2' })).toBeVisible();
    },
  },
  {
    name: 'What if, refused',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS, { current_sem: 5 });
      await follow(page, `/students/${id}`);
      await page.getByRole('button', { name: /^What if/ }).click();
      await page.getByLabel('Target CGPA').fill('9');
    },
  },
  {
    name: 'Degree check',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS, { current_sem: 8 });
      await follow(page, `/students/${id}`);
      await expect(page.getByRole('region', { name: 'Degree Check' }).getByText('Not known')).toBeVisible();
    },
  },
  {
    name: 'Issue documents, refused',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}`);
      await page.getByRole('button', { name: 'Issue documents' }).click();
      await page.getByRole('combobox', { name: 'Document' }).selectOption('Semester result card');
      await page.getByRole('combobox', { name: 'Semester' }).selectOption('Semester 5');
      await expect(page.getByText('Semester 5 is not recorded.')).toBeVisible();
    },
  },
  {
    name: 'Edit student',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}/edit`);
      await expect(page.getByRole('button', { name: 'Update Entry' })).toBeVisible();
    },
  },
  {
    name: 'Edit family',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}/family/edit`);
      await expect(page.getByRole('button', { name: 'Update Entry' })).toBeVisible();
    },
  },
  {
    name: 'Edit academics',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}/academics/edit`);
      await expect(page.getByRole('button', { name: 'Update Semester Entry' })).toBeVisible();
    },
  },
  {
    name: 'Documents of a student',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}/documents`);
      await expect(page.getByRole('heading', { name: 'Nothing has been issued yet.' })).toBeVisible();
    },
  },
  {
    name: 'Holds of a student',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await api.post(`/api/students/${id}/holds`, aHold({ reason: 'a-word-without-an-end'.repeat(12) }));
      await follow(page, `/students/${id}/holds`);
      await expect(page.getByRole('article', { name: 'Fees' })).toBeVisible();
    },
  },
  screen('Holds', '/documents/holds', 'Documents'),
  {
    name: 'More of a record',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS);
      await follow(page, `/students/${id}`);
      await page.getByRole('button', { name: 'More' }).click();
      await expect(page.getByRole('menuitem', { name: 'Change status' })).toBeFocused();
    },
  },
  {
    name: 'History of a student',
    open: async (page, api) => {
      const student = await api.createRecord(RESULTS);
      const reason = 'a-word-without-an-end'.repeat(12);
      await api.send('PUT', `/api/students/${student.id}`, { ...student, reason });
      await follow(page, `/students/${student.id}/history`);
      await expect(page.getByText(reason)).toBeVisible();
    },
  },
];

export const OTHER_SCREENS: readonly Screen[] = [
  screen('Home', '/', 'Home'),
  {
    name: 'Courses',
    open: async (page, api) => {
      await api.createCourse();
      await follow(page, '/courses');
      await expect(page.getByRole('article').first()).toBeVisible();
    },
  },
  {
    name: 'Single course',
    open: async (page, api) => {
      const { course_id } = await api.createCourse();
      await follow(page, `/courses/${course_id}`);
      await expect(page.getByRole('img', { name: /Thermodynamics/ })).toBeVisible();
    },
  },
  screen('Create course', '/courses/create', 'Add a course'),
  {
    name: 'Edit course',
    open: async (page, api) => {
      const { course_id } = await api.createCourse();
      await follow(page, `/courses/${course_id}/edit`);
      await expect(page.getByRole('button', { name: 'Update Entry' })).toBeVisible();
    },
  },
  {
    name: 'Insights',
    open: async (page, api) => {
      await api.createRecord(RESULTS);
      await follow(page, '/insights');
      await expect(page.getByRole('group', { name: /^CGPA, / }).first()).toBeVisible();
      await expect(page.getByRole('group', { name: /^Students by semester, / }).first()).toBeVisible();
    },
  },
  {
    name: 'Reports',
    open: async (page, api) => {
      const { department, degree } = await api.createRecord(RESULTS);
      await follow(page, `/reports?report=result-summary&department=${department}&degree=${degree}`);
      await expect(page.getByRole('img', { name: /^SGPA histogram/ })).toBeVisible();
    },
  },
  {
    name: 'Documents',
    open: async (page, api) => {
      const { id } = await api.createRecord(RESULTS, { last_name: 'a-word-without-an-end'.repeat(4) });
      const purpose = 'a-word-without-an-end'.repeat(8);
      await api.post('/api/documents', { kind: 'transcript', ids: [id], official: true, purpose });
      await follow(page, `/documents?student_id=${id}`);
      await expect(page.getByText(purpose)).toBeVisible();
    },
  },
  {
    name: 'Imports',
    open: async (page, api) => {
      await uploadRows(api);
      await follow(page, '/imports');
      await expect(page.getByRole('cell').filter({ hasText: 'Not applied yet' }).first()).toBeVisible();
    },
  },
  screen('New import', '/imports/new?kind=marks', 'The file'),
  {
    name: 'Columns of an import',
    open: async (page, api) => {
      await follow(page, `/imports/${await uploadRows(api)}`);
      await expect(page.getByText('are required and have no column.')).toBeVisible();
      await expect(page.getByText('01/02/2005 is 1 February 2005.')).toBeVisible();
    },
  },
  {
    name: 'Preview of an import',
    open: async (page, api) => {
      const id = await uploadRows(api);
      await api.post(`/api/imports/${id}/preview`, {
        mode: 'update',
        name_split: 'last-word',
        date_orders: { 2: 'day-first' },
      });
      await follow(page, `/imports/${id}`);
      await expect(page.getByText('a-word-without-an-end').first()).toBeVisible();
    },
  },
  screen('Profile', '/list-users', 'Your Profile'),
  screen('Every shared part', '/someshit', 'States'),
  screen('Page not found', '/no/such/page', 'Page not found'),
];

/** The screens of mark sheets, for one with students. */
export const sheetScreens = ({ sheet_id, term_id, title }: Sheet): Screen[] => [
  {
    name: 'Mark sheets',
    open: async (page) => {
      await follow(page, `/marksheets?term=${term_id}`);
      await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible();
    },
  },
  {
    name: 'New mark sheet, refused',
    open: async (page) => {
      await follow(page, '/marksheets/new');
      await page.getByRole('button', { name: 'Split into components' }).first().click();
      await page.getByRole('button', { name: 'Create mark sheet' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
  },
  screen('Set-up of a mark sheet', `/marksheets/${sheet_id}/setup`, 'Set-up'),
  {
    name: 'Class list',
    open: async (page) => {
      await follow(page, `/marksheets/${sheet_id}/class`);
      await expect(page.getByRole('table', { name: 'Class list' })).toBeVisible();
    },
  },
  {
    name: 'Marks',
    open: async (page) => {
      await follow(page, `/marksheets/${sheet_id}`);
      await page.locator('td[data-row]').first().click();
      await page.keyboard.type('over');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowUp');
      await expect(page.getByText('“over” is no mark.')).toBeVisible();
    },
  },
];

/** The screens of schemes, audits and equivalents, for a class with one student. */
export async function addSchemeScreens(admin: Api): Promise<Screen[]> {
  const endless = 'a-word-without-an-end'.repeat(4);
  const degree = unique();
  const [taken, lacking, open] = await addCourses(admin, ['Calculus', endless, 'Statics']);
  if (!taken || !lacking || !open) throw new Error('A course is missing.');
  const grades = [
    { title: taken.course_name, courseId: taken.course_id, credits: 3, grade: 'A' },
    { title: lacking.course_name, courseId: lacking.course_id, credits: 3, grade: 'F' },
  ] as const;
  const { id } = await admin.createRecord([grades], { department: 'EE', degree });
  const rows = [
    { options: [taken.course_id, lacking.course_id], title: endless },
    { options: [lacking.course_id] },
    {
      semester: 2,
      options: [open.course_id],
      needs: [{ course_id: lacking.course_id, kind: 'before' as const }],
    },
  ];
  const ofClass = { department: 'EE' as const, degrees: [degree] };
  const inForce = await addScheme(admin, { ...ofClass, name: `${endless} ${degree}` }, rows);
  const draft = await addDraft(admin, ofClass, rows);
  return [
    screen('Schemes', '/settings/schemes', 'Schemes of studies'),
    screen('Scheme in force', `/settings/schemes/${inForce.scheme_id}`, inForce.name),
    {
      name: 'Editor of a scheme',
      open: async (page) => {
        await follow(page, `/settings/schemes/${draft.scheme_id}`);
        await page.getByRole('textbox', { name: 'Needs, row 1 of semester 1' }).fill('XX-1');
        await page.keyboard.press('Tab');
        await expect(page.getByText('There is no course XX-1.').first()).toBeVisible();
      },
    },
    screen('Equivalents', '/settings/schemes/equivalents', 'Equivalent courses'),
    {
      name: 'New pair of equivalents',
      open: async (page) => {
        await follow(page, '/settings/schemes/equivalents');
        await page.getByRole('button', { name: 'New pair' }).press('Enter');
        await expect(page.getByRole('dialog').getByLabel('Counts as')).toBeVisible();
      },
    },
    {
      name: 'Scheme of a student',
      open: async (page) => {
        await follow(page, `/students/${id}/scheme`);
        await expect(page.getByRole('table', { name: 'Rows of the scheme' }).first()).toBeVisible();
      },
    },
    {
      name: 'Audit of a class',
      open: async (page) => {
        await follow(page, `/reports?report=audit&department=EE&degree=${degree}`);
        await expect(page.getByText(/^0 of 1 students? complete/)).toBeVisible();
      },
    },
  ];
}

/** The screens of the teacher of a sheet. */
export const teacherScreens = ({ sheet_id }: Sheet): Screen[] => [
  {
    name: 'Home of a teacher',
    open: async (page) => {
      await follow(page, '/');
      await expect(page.getByRole('main').getByText('none yet')).toBeVisible();
    },
  },
  {
    name: 'Class list of a teacher',
    open: async (page) => {
      await follow(page, `/marksheets/${sheet_id}/class`);
      await expect(page.getByRole('table', { name: 'Class list' })).toBeVisible();
    },
  },
];
