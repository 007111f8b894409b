import { expect, type Page, test } from '../support/browser/fixtures.ts';
import { expectScreen } from '../support/browser/screens.ts';

const TITLE = 'Student Information Management System';
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });
const menuButton = (page: Page) => page.getByRole('button', { name: 'Open menu' });
const readVisitedPath = (page: Page) => page.evaluate(() => sessionStorage.getItem('VISITED-PATH'));

// Covers 2.35, 2.38, 2.39, 2.40, 2.44, 3.43, 9.13
test('the sidebar starts 120 pixels wide and collapses to 60 with its arrow turned', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  const width = async () => (await sidebar(page).boundingBox())?.width;
  const arrow = () =>
    page.locator('.nav-arrow').evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  const showsText = () => page.evaluate(() => sessionStorage.getItem('SHOW-NAV-TEXT'));
  await expect.poll(width).toBe(120);
  await expect.poll(arrow).toBe(1);
  await expect.poll(showsText).toBe('true');
  await expect(sidebar(page).getByText('Admin', { exact: true })).toBeVisible();
  await expect(sidebar(page).getByRole('link')).toHaveText([
    ...['Home', 'Users', 'Students', 'Courses', 'Insights'],
  ]);
  await expect(sidebar(page).getByRole('button').first()).toHaveText('Logout');

  await page.getByRole('button', { name: 'Collapse navigation' }).click();
  await expect.poll(width).toBe(60);
  await expect.poll(arrow).toBeCloseTo(-1);
  await expect.poll(showsText).toBe('false');
  await page.reload();
  await expect.poll(width).toBe(120);
  await expect.poll(showsText).toBe('true');
});

// Covers 2.36, 2.46, 2.47, 9.14
test('the header replaces the sidebar with a menu button and Logout below 1280 pixels and shortens its title below 768', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  const header = page.getByRole('banner');
  const logout = header.getByRole('button', { name: 'Logout' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(sidebar(page)).toBeVisible();
  await expect(menuButton(page)).toBeHidden();
  await expect(logout).toBeHidden();
  await page.setViewportSize({ width: 1279, height: 800 });
  await expect(sidebar(page)).toBeHidden();
  await expect(menuButton(page)).toBeVisible();
  await expect(logout).toBeVisible();

  await page.setViewportSize({ width: 768, height: 800 });
  await expect(header.getByText(TITLE, { exact: true })).toBeVisible();
  await expect(header.getByText('SIMS', { exact: true })).toBeHidden();
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(header.getByText(TITLE, { exact: true })).toBeHidden();
  await expect(header.getByText('SIMS', { exact: true })).toBeVisible();
});

// Covers 2.41, 2.43, 2.44, 2.45
test('the slide-out menu has the entries of the sidebar and closes when one is chosen', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  await page.setViewportSize({ width: 1279, height: 800 });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menuButton(page).click();
  await expect(menu.getByRole('navigation').getByRole('link')).toHaveText([
    'Home',
    'Users',
    'Students',
    'Courses',
    'Insights',
  ]);
  await page.keyboard.press('Escape');
  for (const [name, path] of [
    ['Users', '/list-users'],
    ['Students', '/students'],
    ['Courses', '/courses'],
    ['Insights', '/insights'],
    ['Home', '/'],
  ] as const) {
    await menuButton(page).click();
    await menu.getByRole('link', { name, exact: true }).click();
    await expect(menu).toBeHidden();
    await expect(page).toHaveURL(path);
  }
  await menuButton(page).click();
  await menu.getByRole('button', { name: 'Logout' }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});

// Covers 2.1, 2.2, 2.4, 2.5, 2.8, 2.9, 2.10, 2.11, 2.12, 2.13, 2.14, 2.15, 2.16, 2.17, 2.18, 2.19, 2.24
test('each page sets its title and stores its path', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([]);
  const unfinished = await api.createStudent();
  const { course_id } = await api.createCourse();
  for (const [path, title] of [
    ['/', 'Home'],
    ['/list-users', 'Your Profile'],
    ['/someshit', 'States'],
    ['/students', 'Students'],
    ['/students/create', 'Create an Entry'],
    [`/students/${unfinished.id}/family/create`, 'Family Data'],
    [`/students/${id}/academics/create`, 'Academic Data'],
    [`/students/${id}`, 'Student'],
    [`/students/${id}/edit`, 'Edit Student'],
    [`/students/${id}/history`, 'History of a student'],
    [`/courses/${course_id}/history`, 'History of a course'],
    ['/history', 'History'],
    [`/students/${id}/family/edit`, 'Edit Family'],
    [`/students/${id}/academics/edit`, 'Edit Academics'],
    ['/courses/create', 'Add a course'],
    ['/courses', 'Courses'],
    ['/insights', 'Insights'],
    [`/courses/${course_id}`, 'Course'],
    [`/courses/${course_id}/edit`, 'Edit Course'],
    ['/password-recovery', 'Password Recovery'],
  ] as const) {
    await page.goto(path);
    await expectScreen(page, title);
    await expect(page).toHaveURL(path);
    await expect.poll(() => readVisitedPath(page)).toBe(path);
  }
  await page.goto('/login');
  await expect(page).toHaveURL('/password-recovery');
});

// Covers 2.30, 4.49, 4.50, 9.17
test('the two confirmation dialogs are 300 by 150 pixels and have the specified texts', async ({
  staffPage: page,
  api,
}) => {
  const { course_id } = await api.createCourse();
  await page.goto(`/courses/${course_id}/edit`);
  const dialog = page.getByRole('alertdialog');
  const size = async () => {
    const { width, height } = (await dialog.boundingBox()) ?? { width: 0, height: 0 };
    return [width, height];
  };
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByRole('paragraph')).toHaveText('Are you sure you want to delete this entry?');
  await expect(dialog.getByRole('button')).toHaveText(['No', 'Yes', '']);
  await expect.poll(size).toEqual([300, 150]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await expect(dialog.getByRole('paragraph')).toHaveText('You will be logged out. Do you wish to proceed?');
  await expect.poll(size).toEqual([300, 150]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/courses/${course_id}/edit`);
});

// Covers 2.31, 2.33
test('the loading overlay of a slow course covers the whole screen; Escape opens the course list', async ({
  staffPage: page,
  api,
}) => {
  const { course_id } = await api.createCourse();
  await page.route(`**/api/courses/${course_id}`, () => undefined);
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`/${course_id}`));
  await page.goto(`/courses/${course_id}`);
  const overlay = page.getByRole('dialog', { name: 'Loading course' });
  await expect(overlay).toBeVisible();
  await expect.poll(() => overlay.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await aborted;
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL('/courses');
});

// Covers 9.18
test('animations take between 0.25 and 1.5 seconds', async ({ staffPage: page }) => {
  await page.goto('/');
  const durations = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    return ['fast', 'panel', 'page', 'chart', 'card', 'alarm'].map((name) =>
      Number.parseFloat(style.getPropertyValue(`--t-${name}`)),
    );
  });
  for (const duration of durations.map((value) => (value < 10 ? value * 1000 : value))) {
    expect(duration).toBeGreaterThanOrEqual(250);
    expect(duration).toBeLessThanOrEqual(1500);
  }
});

test('the skip link changes neither the URL nor the history', async ({ staffPage: page }) => {
  await page.goto('/list-users#edit');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const historyLength = () => page.evaluate(() => history.length);
  const before = await historyLength();
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL('/list-users#edit');
  expect(await historyLength()).toBe(before);
});

test('a page that fails to render keeps the navigation, which opens other pages', async ({
  staffPage: page,
}) => {
  // The console error of the failing page is expected.
  page.removeAllListeners('console');
  await page.route('**/api/students/any', (route) => route.fulfill({ json: {} }));
  await page.goto('/students/any');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load again' })).toBeVisible();
  await expect(sidebar(page)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
});

test('the focus stays in the page when the pressed button disappears', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(404);
  await api.createRecord([]);
  await page.goto('/students?q=nobody-is-called-so');
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().press('Enter');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await expect(page.getByRole('searchbox')).toHaveValue('');

  await page.goto('/students/nobody');
  const close = page.getByRole('button', { name: 'Close message' });
  // The URL redirects to the list, which takes the focus once it is rendered.
  await expect(page.getByRole('main')).toBeFocused();
  await close.focus();
  await page.keyboard.press('Enter');
  await expect(close).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});
