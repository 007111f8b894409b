import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { expectScreen } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
const search = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or jump to' });
const options = (page: Page) => palette(page).getByRole('option');
const selectedOption = (page: Page) => palette(page).getByRole('option', { selected: true });
const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

/** The shortcuts work once the app shell, which contains this button, is rendered. */
const openButton = (page: Page) => page.getByRole('button', { name: 'Search or jump to' });

async function openPalette(page: Page): Promise<void> {
  await expect(openButton(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(search(page)).toBeFocused();
}

/** Again if a busy machine takes longer between the two keys than a shortcut may. */
const typeShortcut = (page: Page, keys: string, title: string) =>
  expect(async () => {
    await page.keyboard.type(keys);
    await expect(page).toHaveTitle(new RegExp(`^${title} `), { timeout: 5_000 });
  }).toPass();

/**
 * Presses Enter and Ctrl+K so quickly that the palette is open again before the browser reports that it was closed.
 * Returns after that report.
 */
const chooseAndOpenAgain = (page: Page) =>
  palette(page).evaluate(async (dialog) => {
    const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }));
    press({ key: 'Enter' });
    // The palette closes before the next task, and the report is a task.
    for (let i = 0; i < 100 && dialog.matches('[open]'); i += 1) await Promise.resolve();
    press({ key: 'k', ctrlKey: true });
    await closed;
  });

test('the palette finds students, courses and screens by keyboard, and reports searches without matches or with errors', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  await page.goto('/');
  const word = `q${unique()}`;
  const course = await api.createCourse();
  const students = [];
  for (const first_name of ['Hareem', 'Haris', 'Harun']) {
    students.push(await api.createRecord([], { first_name, last_name: word }));
  }
  const [hareem, haris] = students;

  await openPalette(page);
  await expect(selectedOption(page)).toHaveText(/Home/);
  await page.keyboard.type(word);
  await expect(options(page)).toHaveText([/^Hareem/, /^Haris/, /^Harun/]);
  await expect(palette(page).getByRole('status')).toHaveText('3 results');
  await expect(search(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(options(page).first().locator('mark')).toHaveText(word);
  await expectNoSeriousAxeFindings(page);

  // The search field keeps the focus while the keys move the selection, which wraps around at both ends.
  const expectSelectedAfter = async (key: string, name: RegExp) => {
    await page.keyboard.press(key);
    await expect(selectedOption(page)).toHaveText(name);
    const id = await selectedOption(page).getAttribute('id');
    await expect(search(page)).toHaveAttribute('aria-activedescendant', id ?? '');
    await expect(search(page)).toBeFocused();
  };
  await expect(selectedOption(page)).toHaveText(/^Hareem/);
  await expectSelectedAfter('ArrowDown', /^Haris/);
  await expectSelectedAfter('End', /^Harun/);
  await expectSelectedAfter('ArrowDown', /^Hareem/);
  await expectSelectedAfter('ArrowUp', /^Harun/);
  await expectSelectedAfter('Home', /^Hareem/);
  await expectSelectedAfter('ArrowDown', /^Haris/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/students/${haris?.id}`);
  await expect(palette(page)).toBeHidden();
  await expectScreen(page, 'Student');

  // Enter pressed before any response has arrived opens the student with the typed ID.
  await openPalette(page);
  await page.keyboard.type(hareem?.id ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/students/${hareem?.id}`);

  await openPalette(page);
  await page.keyboard.type(course.course_code.replaceAll('-', ''));
  await expect(selectedOption(page)).toHaveText(new RegExp(course.course_code));
  await search(page).fill(String(course.course_id));
  await expect(selectedOption(page)).toHaveText(new RegExp(course.course_code));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expect(palette(page)).toBeHidden();

  // A name in another spelling, and with its class.
  const inClass = { department: 'MTS', degree: '77', syn: 'B' } as const;
  await api.createRecord([], { first_name: 'Mohammad', last_name: word, ...inClass });
  await openPalette(page);
  await page.keyboard.type(`muhamad ${word}`);
  await expect(options(page)).toHaveText([/^Mohammad/]);
  await search(page).fill(`${word} mts-77-b`);
  await expect(options(page)).toHaveText([/^Mohammad/]);
  await search(page).fill(`${word} MTS-77-C`);
  await expect(options(page)).toHaveCount(0);
  await page.keyboard.press('Escape');

  // Without a search text: the recent pages, except the current one.
  await openPalette(page);
  const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect(recent).toHaveText([/^Hareem/, /^Haris/, /^Home/]);
  await expect(selectedOption(page)).toHaveText(/^Hareem/);

  const [tab] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Control+Enter')]);
  await expectScreen(tab, 'Student');
  await expect(tab).toHaveURL(`/students/${hareem?.id}`);
  await tab.close();
  await page.keyboard.type('courses');
  await page.keyboard.press('Enter');
  await expectScreen(page, 'Courses');

  await openPalette(page);
  await page.keyboard.type('students');
  await expect(selectedOption(page)).toHaveText(/^Students/);
  await chooseAndOpenAgain(page);
  await expectScreen(page, 'Students');
  await expect(search(page)).toBeFocused();
  await expect(search(page)).toHaveValue('');

  // A response that a newer one has overtaken is ignored.
  const [older, newer] = [`a${unique()}`, `b${unique()}`];
  await api.createStudent({ first_name: 'Older', last_name: older });
  await api.createStudent({ first_name: 'Newer', last_name: newer });
  let releaseOlder = () => {};
  await page.route(`**/api/students?q=${older}*`, async (route) => {
    const response = await route.fetch();
    await new Promise<void>((resolve) => {
      releaseOlder = resolve;
    });
    await route.fulfill({ response }).catch(() => undefined);
  });

  const requested = page.waitForRequest(`**/api/students?q=${older}*`);
  await search(page).fill(older);
  await requested;
  await expect(palette(page).getByRole('status')).toHaveText('Searching');
  await search(page).fill(newer);
  await expect(options(page)).toHaveText([/^Newer/]);
  releaseOlder();
  // No matches.
  await search(page).fill(`${newer} nobody`);
  await expect(palette(page).getByRole('status')).toContainText('No results for');
  await expect(options(page)).toHaveCount(0);
  await expect(search(page)).toHaveAttribute('aria-expanded', 'false');

  // An error.
  const failing = `c${unique()}`;
  await page.route(`**/api/students?q=${failing}*`, (route) => route.abort('connectionrefused'));
  await search(page).fill(failing);
  await expect(palette(page).getByRole('alert')).toContainText('The server could not be reached.');
  await page.unroute(`**/api/students?q=${failing}*`);
  await api.createStudent({ last_name: failing });
  await palette(page).getByRole('button', { name: 'Try again' }).click();
  await expect(search(page)).toBeFocused();
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
});

test('the shortcuts are listed and can be switched off, and logging out clears the recent pages', async ({
  staffPage: page,
  account,
}) => {
  await page.goto('/');
  await expect(openButton(page)).toBeVisible();
  await page.keyboard.press('?');
  await expect(help(page)).toBeVisible();
  await expect(help(page).getByText('Create New Entry')).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();

  await typeShortcut(page, 'gs', 'Students');
  await typeShortcut(page, 'cc', 'Add a course');
  // Typing into a field triggers no shortcut.
  const code = page.getByRole('textbox', { name: 'Course code' });
  await code.pressSequentially('gh?');
  await expect(code).toHaveValue('gh?');
  await expect(help(page)).toBeHidden();
  // Ctrl+K works inside a field too.
  await openPalette(page);
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Enter');
  await help(page).getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
  await expect(help(page).getByText('Create New Entry')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.getByRole('main').focus();
  await page.keyboard.type('?gh');
  await openPalette(page);
  await expectScreen(page, 'Add a course');
  await expect(help(page)).toBeHidden();

  const readRecentPages = () => page.evaluate((id) => localStorage.getItem(`RECENT:${id}`), account.user.id);
  expect(await readRecentPages()).toContain('/students');
  await page.keyboard.type('logout');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expectScreen(page, 'Login');
  expect(await readRecentPages()).toBeNull();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
});

test('on a phone an icon opens the palette, which offers a viewer no new entries', async ({
  page,
  account,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, { ...account, user: { ...account.user, role: 'viewer' } });
  await page.goto('/');
  await openButton(page).click();
  await expect(search(page)).toBeFocused();
  await expect(options(page).getByText('Students')).toBeVisible();
  await expect(options(page).filter({ hasText: 'Create' })).toHaveCount(0);
  await expectNoSeriousAxeFindings(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  await search(page).fill('theme');
  await options(page).first().click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await openButton(page).click();
  await expectNoSeriousAxeFindings(page);
  await search(page).fill('create');
  await expect(palette(page).getByRole('status')).toContainText('No results for');
});

test('what is typed right after Ctrl+K, while the palette is still loading, reaches its field', async ({
  staffPage: page,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const requested = page.waitForRequest(/\/palette-[^/]*\.js$/);
  await page.route(/\/palette-[^/]*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/');
  await expect(openButton(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  await requested;
  // The two letters are also the shortcut of a screen.
  await page.keyboard.type('gsx');
  await page.keyboard.press('Backspace');
  release();
  await expect(search(page)).toBeFocused();
  await expect(search(page)).toHaveValue('gs');
  await page.keyboard.type('t');
  await expect(search(page)).toHaveValue('gst');
  await expect(page).toHaveURL('/');
  await page.keyboard.press('Escape');
  await openPalette(page);
  await expect(search(page)).toHaveValue('');
});
