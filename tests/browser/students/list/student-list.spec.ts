import type { StudentPage } from '../../../../src/contract/students/student-list.ts';
import { registerUser } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { test as base, expect, type Page, signIn } from '../../../support/browser/fixtures.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { startWithFaculty } from '../../../support/processes/sample-faculty.ts';
import type { Server } from '../../../support/processes/server.ts';
import { aFamily, unique } from '../../../support/records.ts';

const test = base.extend<{ facultyServer: Server }>({
  facultyServer: async ({ page }, use) => {
    // The fewest that are loaded in bulk, which takes a quarter of the time of entering 2,000 one by one. One more enters late.
    const server = await startWithFaculty(5_001);
    await use(server);
    // The page may still be fetching, so it is left before its server stops.
    await page.goto('about:blank');
    await server.dispose();
  },
});

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search students' });
const names = (page: Page) => page.getByRole('table', { name: 'Students' }).getByRole('link');
const studentsEntry = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Students' });
const head = (page: Page, name: string) => page.getByRole('columnheader', { name });

// Covers 2.93, 2.95, 2.96, 2.97, 2.98, 2.99, 2.100, 2.101, 9.15
test('search and order are kept in the URL for a reload and for Back, and Back leaves the list in one step', async ({
  staffPage: page,
  api,
}) => {
  const family = `Khan-${unique()}`;
  for (const [i, first_name] of ['Bilal', 'Zainab', 'Ayesha'].entries()) {
    await api.createRecord([], { first_name, last_name: family, fsc_marks: 800 + i });
  }
  await page.goto('/courses');
  await studentsEntry(page).click();
  await search(page).pressSequentially(family);
  await expect(page).toHaveURL(`/students?q=${family}`);
  await head(page, 'Name').getByRole('button').click();
  await head(page, 'Name').getByRole('button').click();
  await expect(page).toHaveURL(`/students?q=${family}&sort=name&direction=descending`);
  const shown = [`Zainab ${family}`, `Bilal ${family}`, `Ayesha ${family}`];
  await expect(names(page)).toHaveText(shown);

  await page.reload();
  await expect(search(page)).toHaveValue(family);
  await expect(names(page)).toHaveText(shown);
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending');

  await names(page).first().click();
  await expect(page.getByRole('heading', { name: `Zainab ${family}` })).toBeVisible();
  await page.goBack();
  await expect(search(page)).toHaveValue(family);
  await expect(names(page)).toHaveText(shown);

  await page.goBack();
  await expect(page).toHaveURL('/courses');
  await expectScreen(page, 'Courses');

  await test.step('Back from a row that was opened while the search was still being typed, even if the new rows arrive during the click, returns to that search', async () => {
    const { id } = await api.createRecord([]);
    await follow(page, '/students');
    // The row is at the top already, so that it does not move away from the pointer.
    await search(page).fill(id.slice(0, -1));
    await expect(page).toHaveURL(`/students?q=${id.slice(0, -1)}`);
    await expect(page.getByRole('row')).toHaveCount(2);
    let press = () => {};
    const pressed = new Promise<void>((resolve) => {
      press = resolve;
    });
    const isSearch = (url: URL) => url.searchParams.get('q') === id && url.pathname.startsWith('/api/');
    await page.route(isSearch, async (route) => {
      await pressed;
      await route.continue();
    });
    const searched = page.waitForResponse((response) => isSearch(new URL(response.url())));
    await search(page).fill(id);
    await page.getByRole('row').filter({ hasText: id }).getByRole('link').hover();
    await page.mouse.down();
    press();
    await (await searched).finished();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.mouse.up();
    await page.unroute(isSearch);
    await expect(page).toHaveURL(`/students/${id}`);
    await expectScreen(page, 'Student');
    await page.goBack();
    await expect(search(page)).toHaveValue(id);
  });

  await test.step('the navigation entry Students clears the search of the list, and Back restores it', async () => {
    const { id } = await api.createRecord([]);
    await search(page).fill(id);
    await expect(page).toHaveURL(`/students?q=${id}`);
    await studentsEntry(page).click();
    await expect(page).toHaveURL('/students');
    await expect(search(page)).toHaveValue('');
    await page.goBack();
    await expect(search(page)).toHaveValue(id);
  });

  await test.step('the link Students of a record returns to the list with its search and order', async () => {
    const { id } = await api.createRecord([]);
    const address = `/students?q=${id}&sort=name&direction=descending`;
    await follow(page, address);
    await page.getByRole('row').filter({ hasText: id }).getByRole('link').click();
    await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
    await expect(page).toHaveURL(address);
    await studentsEntry(page).click();
    await expect(page).toHaveURL('/students');
  });

  await test.step('a record that was opened before it was complete is shown once another user has completed it', async () => {
    const { id } = await api.createStudent();
    await follow(page, `/students?q=${id}`);
    const row = page.getByRole('row').filter({ hasText: id });
    await row.getByRole('link').click();
    await expect(page).toHaveURL(`/students/${id}/family/create`);
    await expectScreen(page, 'Family Data');
    await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
    await api.post('/api/students/family', aFamily(id));
    await row.getByRole('link').click();
    await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
    await expect(page).toHaveURL(`/students/${id}`);
  });

  await test.step('a URL with invalid parameters shows the whole list', async () => {
    const { total } = await api.get<StudentPage>('/api/students?limit=1');
    await page.goto('/students?sort=constructor&direction=up&q=');
    await expect(page.getByRole('status').first()).toHaveText(`${total} students`);
    await expect(names(page).first()).toBeVisible();
  });

  await test.step('the list hides Degree below 1024 pixels and the marks below 1280', async () => {
    const { id } = await api.createRecord([]);
    const loaded = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/students');
    await follow(page, `/students?q=${id}`);
    expect((await loaded).method()).toBe('GET');
    const row = page.getByRole('row').filter({ hasText: id });
    const cellsShown = () =>
      row
        .getByRole('cell')
        .evaluateAll((cells) =>
          cells.filter((cell) => getComputedStyle(cell).display !== 'none').map((cell) => cell.textContent),
        );
    const age = expect.stringMatching(/^\d+ years old$/);
    const heads = page.getByRole('columnheader');
    for (const [width, cells] of [
      [1280, ['', id, 'Ayesha Siddiqui', age, 'CE-44-B', '935', '987.5', '']],
      [1279, ['', id, 'Ayesha Siddiqui', age, 'CE-44-B', '']],
      [1024, ['', id, 'Ayesha Siddiqui', age, 'CE-44-B', '']],
      [1023, ['', id, 'Ayesha Siddiqui', age, '']],
      [768, ['', id, 'Ayesha Siddiqui', age, '']],
      [767, ['', id, 'Ayesha Siddiqui', age, '']],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(cellsShown).toEqual(cells);
      await expect(heads).toHaveCount(cells.length);
    }
    await expect(row.getByRole('link')).toHaveAttribute('href', `/students/${id}`);
  });
});

test('a Ctrl-click or middle click opens a student in a new tab, signed in, and leaves the list unchanged', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord([]);
  await page.goto(`/students?q=${student.id}`);
  const link = page.getByRole('row').filter({ hasText: student.id }).getByRole('link');
  const expectNewTab = async (click: Promise<void>) => {
    const [tab] = await Promise.all([page.waitForEvent('popup'), click]);
    await expect(tab.getByRole('heading', { level: 1 })).toContainText(student.first_name);
    await tab.close();
  };
  await expectNewTab(link.click({ modifiers: ['ControlOrMeta'] }));
  await expectNewTab(link.click({ button: 'middle' }));
  // Anywhere in the row it is the same.
  const age = page.getByRole('row').filter({ hasText: student.id }).getByText('years old');
  await expectNewTab(age.click({ modifiers: ['ControlOrMeta'] }));
  await expectNewTab(age.click({ button: 'middle' }));
  await expect(page).toHaveURL(`/students?q=${student.id}`);
});

test('a search finds the father’s name and shows it; filters are kept in the URL for a reload and for Back', async ({
  staffPage: page,
  api,
}) => {
  const family = `Gul${unique()}`;
  const father = `Rehmat${unique()}`;
  const student = await api.createStudent({ first_name: 'Zoë', last_name: family, syn: 'A', gender: 'F' });
  await api.post('/api/students/family', aFamily(student.id, { father_name: `Haji ${father}` }));
  const unfinished = await api.createStudent({ last_name: family, syn: 'B', gender: 'F', current_sem: 3 });
  await page.goto('/students');
  await expect(names(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(`zoe ${family.slice(0, 6)}`);
  await expect(names(page)).toHaveText([`Zoë ${family}`]);
  await expect(page.getByRole('row').locator('mark')).toHaveText(['Zoë', family.slice(0, 6)]);
  await expect(page.getByRole('status').first()).toHaveText('1 student');

  await search(page).fill(father);
  await expect(page.getByText(`Father: Haji ${father}`)).toBeVisible();
  await expect(page.getByRole('row').locator('mark')).toHaveText([father]);

  await search(page).fill(family);
  await expect(names(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByLabel('Syndicate').selectOption('B');
  await expect(page).toHaveURL(`/students?q=${family}&syn=B`);
  await filters.getByLabel('Incomplete entries only').check();
  for (const [label, text] of [
    ['CGPA from', '3,5'],
    ['CGPA below', '35'],
  ] as const) {
    await filters.getByLabel(label).fill(text);
    await expect(filters.getByLabel(label)).toBeFocused();
    await expect(filters.getByLabel(label)).toHaveAccessibleDescription('0 to 4 with at most two decimals.');
    await expect(filters.getByLabel(label)).toHaveValue(text);
  }
  const address = `/students?q=${family}&syn=B&incomplete=true`;
  await expect(page).toHaveURL(address);
  await expectNoSeriousAxeFindings(page);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await expect(filters.getByLabel('CGPA from')).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();
  await page.goBack();
  await page.reload();
  await expect(names(page)).toHaveText([`Ayesha ${family}`]);
  await expect(chips.getByRole('listitem')).toContainText([
    'Syndicate: B',
    'Incomplete entries',
    'Clear all',
  ]);

  await chips.getByRole('button', { name: /Incomplete/ }).press('Enter');
  await expect(chips.getByRole('button')).toHaveCount(1);
  await expect(chips.getByRole('button', { name: /Syndicate/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chips).toBeHidden();
  await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();
  await expect(names(page)).toHaveCount(2);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(names(page)).toHaveText([`Ayesha ${family}`]);
  await expect(page.getByRole('row').filter({ hasText: unfinished.id })).toBeVisible();

  await search(page).fill(`${family} nobody`);
  await expect(page.getByText('No student matches the search and the filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(page).toHaveURL('/students');
  await expect(search(page)).toBeFocused();
});

/** Whether more than five rows are in the viewport, and how many of those have not loaded their student yet. */
const readVisibleRows = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('tbody tr[data-row]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    return { some: rows.length > 5, loading: rows.filter((row) => !row.querySelector('a')).length };
  });

// Covers 2.95
test('a list of thousands renders few rows at a time, and the keyboard reaches all of them', async ({
  page,
  facultyServer: { url },
}) => {
  await signIn(page, await registerUser(url));
  await page.goto(`${url}/students`);
  const table = page.getByRole('table', { name: 'Students' });
  const row = (number: number) => table.locator(`[aria-rowindex="${number}"]`);
  await expect(table).toHaveAttribute('aria-rowcount', '5003');
  await expect(page.getByRole('status').first()).toHaveText('5,002 students');

  let maxRows = 0;
  for (const fraction of [0.2, 0.5, 1, 0.7, 0]) {
    await page.evaluate((to) => window.scrollTo(0, document.documentElement.scrollHeight * to), fraction);
    // Rows that become visible are loaded, however far the list was scrolled.
    await expect.poll(() => readVisibleRows(page)).toEqual({ some: true, loading: 0 });
    maxRows = Math.max(maxRows, await table.getByRole('row').count());
  }
  expect(maxRows).toBeLessThan(150);

  await row(2).getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await expect(row(3).getByRole('link')).toBeFocused();
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('PageDown');
  const link = table.locator('tbody a:focus');
  await expect(link).toBeInViewport();
  expect(Number(await link.locator('xpath=ancestor::tr').getAttribute('aria-rowindex'))).toBeGreaterThan(100);
  await page.keyboard.press('End');
  await expect(row(5003).getByRole('link')).toBeFocused();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowUp');
  const name = await link.innerText();
  // Waits two frames, as any user does: the list stores its position on the scroll event of the next frame.
  const scrollY = await page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.scrollY))),
      ),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(link).toHaveText(name);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollY);
  await page.keyboard.press('Home');
  await expect(row(2).getByRole('link')).toBeFocused();

  await page.reload();
  await row(2).getByRole('link').focus();
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  await row(6)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await expect(table.locator('tbody').getByRole('checkbox', { checked: true })).toHaveCount(5);
  await head(page, 'Select all loaded students').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Select all 5,002 that match' }).click();
  await row(4).getByRole('checkbox').uncheck();
  await expect(row(3).getByRole('checkbox')).toBeChecked();
  // A click that just misses the box selects, too.
  await row(4)
    .locator('td')
    .first()
    .click({ position: { x: 4, y: 4 } });
  await expect(row(4).getByRole('checkbox')).toBeChecked();
  await row(4).getByRole('checkbox').uncheck();
  await row(3).click();
  await expect(page).toHaveURL(/\/students\/\d+/);
  await page.goBack();
  await expect(row(3).getByRole('checkbox')).toBeChecked();
  await expect(row(4).getByRole('checkbox')).not.toBeChecked();
});
