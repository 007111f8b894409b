import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';

const TITLE = 'Student Information Management System';
const PAGES = [
  ['Users', '/list-users'],
  ['Students', '/students'],
  ['Courses', '/courses'],
  ['Insights', '/insights'],
  ['Reports', '/reports'],
  ['Home', '/'],
] as const;
const ENTRIES = ['Home', 'Users', 'Students', 'Courses', 'Mark sheets', 'Insights', 'Reports'];

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });
const menuButton = (page: Page) => page.getByRole('button', { name: 'Open menu' });
const readVisitedPath = (page: Page) => page.evaluate(() => sessionStorage.getItem('VISITED-PATH'));
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

// Covers 2.5, 2.16, 2.35, 2.38, 2.39, 2.40, 2.44, 3.43, 9.13, 9.18
test('the sidebar opens every page and collapses until a reload, which keeps a theme that was chosen', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  const width = async () => (await sidebar(page).boundingBox())?.width;
  const arrow = () =>
    page.locator('.nav-arrow').evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  const showsText = () => page.evaluate(() => sessionStorage.getItem('SHOW-NAV-TEXT'));
  const toggle = page.getByRole('button', { name: /^(Collapse|Expand) navigation$/ });
  const navigation = page.getByRole('navigation', { name: 'Main' });

  await test.step('the sidebar starts 120 pixels wide', async () => {
    await expect.poll(width).toBe(120);
    await expect.poll(arrow).toBe(1);
    await expect.poll(showsText).toBe('true');
    await expect(sidebar(page).getByText('Admin', { exact: true })).toBeVisible();
    await expect(sidebar(page).getByRole('link')).toHaveText(ENTRIES);
    await expect(sidebar(page).getByRole('button').first()).toHaveText('Logout');
  });

  await test.step('every entry opens its page', async () => {
    for (const [name, path] of PAGES) {
      const link = navigation.getByRole('link', { name, exact: true });
      await link.click();
      await expect(page).toHaveURL(path);
      await expect(link).toHaveAttribute('aria-current', 'page');
      // Its text keeps off the edge, also in the weight of the current page.
      const room = await link.evaluate((entry) => {
        const text = document.createRange();
        text.selectNodeContents(entry);
        return entry.getBoundingClientRect().right - text.getBoundingClientRect().right;
      });
      expect(room).toBeGreaterThanOrEqual(6);
    }
  });

  await test.step('the sidebar collapses to 60 pixels with its arrow turned, and expands again', async () => {
    await toggle.click();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await expect.poll(width).toBe(60);
    await expect.poll(arrow).toBeCloseTo(-1);
    await expect.poll(showsText).toBe('false');
    await expect(navigation.getByRole('link', { name: 'Students' })).toBeVisible();
    await toggle.click();
    await expect.poll(width).toBe(120);
    await toggle.click();
    await expect.poll(showsText).toBe('false');
  });

  await test.step('the theme follows the system until one is chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => background(page)).not.toBe(light);
    const dark = await background(page);
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await expect.poll(() => background(page)).toBe(light);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Use the dark theme' })).toBeVisible();
    expect(await background(page)).toBe(light);
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await expect.poll(() => background(page)).toBe(dark);
  });
  await expect.poll(width).toBe(120);
  await expect.poll(showsText).toBe('true');

  await test.step('animations take between 0.25 and 1.5 seconds', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
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
});

// Covers 2.36, 2.41, 2.42, 2.43, 2.44, 2.45, 2.46, 2.47, 3.44, 4.37, 9.14
test('below 1280 pixels the header has Logout and a menu in place of the sidebar, and below 768 a short title', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  const header = page.getByRole('banner');
  const logout = header.getByRole('button', { name: 'Logout' });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  const dialog = page.getByRole('alertdialog');

  await test.step('the header', async () => {
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

  await test.step('the menu has the entries of the sidebar and closes when one is chosen', async () => {
    await page.setViewportSize({ width: 1279, height: 800 });
    await menuButton(page).click();
    await expect(menu.getByRole('navigation').getByRole('link')).toHaveText(ENTRIES);
    await page.keyboard.press('Escape');
    for (const [name, path] of PAGES) {
      await menuButton(page).click();
      await menu.getByRole('link', { name, exact: true }).click();
      await expect(menu).toBeHidden();
      await expect(page).toHaveURL(path);
    }
  });

  await test.step('on a phone the menu closes with its X and with Escape', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(header.getByText('SIMS', { exact: true })).toBeVisible();
    await menuButton(page).click();
    await expect(menu).toBeVisible();
    await menu.getByRole('button', { name: 'Close menu' }).click();
    await expect(menu).toBeHidden();
    await menuButton(page).click();
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(menuButton(page)).toBeFocused();
    await menuButton(page).click();
    await menu.getByRole('link', { name: 'Students' }).click();
    await expect(menu).toBeHidden();
    await expect(page).toHaveURL('/students');
  });

  await test.step('the header and the menu contain Logout', async () => {
    await logout.click();
    await dialog.getByRole('button', { name: 'No' }).click();
    await menuButton(page).click();
    await menu.getByRole('button', { name: 'Logout' }).click();
    await expect(menu).toBeHidden();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page).toHaveURL('/login');
  });
});

// Covers 2.1, 2.2, 2.4, 2.5, 2.8, 2.9, 2.10, 2.11, 2.12, 2.13, 2.14, 2.15, 2.16, 2.17, 2.18, 2.19, 2.20, 2.24, 2.77
test('each page sets its title and stores its path, and an unknown URL shows “Page not found”', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  const unfinished = await api.createStudent();
  const { course_id } = await api.createCourse();
  // A malformed percent escape matches no screen either.
  await page.goto('/students/%E0%A4%A');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await follow(page, '/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();

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
    [`/students/${id}/documents`, 'Documents of a student'],
    [`/students/${id}/history`, 'History of a student'],
    [`/courses/${course_id}/history`, 'History of a course'],
    ['/history', 'History'],
    ['/settings', 'Institution'],
    ['/settings/terms', 'Terms'],
    ['/settings/terms/create', 'Add a term'],
    ['/settings/terms/1', 'Edit term'],
    ['/settings/grading', 'Grading policies'],
    ['/settings/grading/create', 'New policy'],
    [`/students/${id}/family/edit`, 'Edit Family'],
    [`/students/${id}/academics/edit`, 'Edit Academics'],
    ['/courses/create', 'Add a course'],
    ['/courses', 'Courses'],
    ['/insights', 'Insights'],
    ['/reports', 'Reports'],
    [`/courses/${course_id}`, 'Course'],
    [`/courses/${course_id}/edit`, 'Edit Course'],
    ['/password-recovery', 'Password Recovery'],
  ] as const) {
    await follow(page, path);
    await expectScreen(page, title);
    await expect(page).toHaveURL(path);
    await expect.poll(() => readVisitedPath(page)).toBe(path);
  }
  await expect(page.getByText('please help', { exact: true })).toBeVisible();
  await page.goto('/login');
  await expect(page).toHaveURL('/password-recovery');
});

// Covers 2.30, 2.31, 2.33, 4.49, 4.50, 9.17
test('dialogs, the loading overlay and errors of a page leave the rest of the application in use', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(404);
  const { course_id } = await api.createCourse();
  const slow = await api.createCourse();
  // Without any student the list has no search.
  await api.createStudent();
  await page.goto(`/courses/${course_id}/edit`);

  await test.step('the two confirmation dialogs are 300 by 150 pixels and have the specified texts', async () => {
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

  await test.step('the loading overlay of a slow course covers the whole screen; Escape opens the course list', async () => {
    await page.route(`**/api/courses/${slow.course_id}`, () => undefined);
    const aborted = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith(`/${slow.course_id}`),
    );
    await follow(page, `/courses/${slow.course_id}`);
    const overlay = page.getByRole('dialog', { name: 'Loading course' });
    await expect(overlay).toBeVisible();
    await expect.poll(() => overlay.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await aborted;
    await expect(overlay).toBeHidden();
    await expect(page).toHaveURL('/courses');
  });

  await test.step('the skip link changes neither the URL nor the history', async () => {
    await follow(page, '/list-users#edit');
    const historyEntry = () => page.evaluate(() => navigation.currentEntry?.key);
    const before = await historyEntry();
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page).toHaveURL('/list-users#edit');
    expect(await historyEntry()).toBe(before);
  });

  await test.step('the focus stays in the page when the pressed button disappears', async () => {
    await follow(page, '/students?q=nobody-is-called-so');
    await expectScreen(page, 'Students');
    await expect(page.getByText('No student matches the search')).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().press('Enter');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await expect(page.getByRole('searchbox')).toHaveValue('');

    await follow(page, '/students/nobody');
    const close = page.getByRole('button', { name: 'Close message' });
    // The URL redirects to the list, which takes the focus once it is rendered.
    await expectScreen(page, 'Students');
    await expect(page.getByRole('main')).toBeFocused();
    await close.focus();
    await page.keyboard.press('Enter');
    await expect(close).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('a failure that nothing else shows is shown as a message', async () => {
    expectedProblems.add('page error');
    await page.evaluate(() => {
      void Promise.reject(new Error('unexpected'));
    });
    await expect(page.getByText('Something went wrong. Try again.')).toBeVisible();
    expectedProblems.delete('page error');
  });

  await test.step('a page that fails to render keeps the navigation, which opens other pages', async () => {
    // The console error of the failing page is expected.
    page.removeAllListeners('console');
    await page.route('**/api/students/any', (route) => route.fulfill({ json: {} }));
    await follow(page, '/students/any');
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Load again' })).toBeVisible();
    await expect(sidebar(page)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  });
});
