import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { registerUser } from '../support/api.ts';
import { expect, type Page, signIn, test } from '../support/browser.ts';
import { fillWithFaculty } from '../support/faculty.ts';
import { aFamily, unique } from '../support/records.ts';
import { expectScreen } from '../support/screens.ts';

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search students' });
const names = (page: Page) => page.getByRole('table', { name: 'Students' }).getByRole('link');
const head = (page: Page, name: string) => page.getByRole('columnheader', { name });

test('search and order stand in the address: a reload and Back keep them, and Back leaves in one step', async ({
  staffPage: page,
  api,
}) => {
  const family = `Khan-${unique()}`;
  for (const [i, first_name] of ['Bilal', 'Zainab', 'Ayesha'].entries()) {
    await api.createRecord([], { first_name, last_name: family, fsc_marks: 800 + i });
  }
  await page.goto('/courses');
  await page.getByRole('navigation').getByRole('link', { name: 'Students' }).click();
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
});

test('a row that is opened while the search is still being typed leads back to that search', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  await page.goto('/students');
  await search(page).fill(id);
  await page.getByRole('row').filter({ hasText: id }).getByRole('link').click();
  await expect(page).toHaveURL(`/students/${id}`);
  await expectScreen(page, 'Student');
  await page.goBack();
  await expect(search(page)).toHaveValue(id);
});

test('the list’s own entry in the navigation shows all of it again, and Back the search', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  await page.goto('/students');
  await search(page).fill(id);
  await expect(page).toHaveURL(`/students?q=${id}`);
  await page.getByRole('navigation').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL('/students');
  await expect(search(page)).toHaveValue('');
  await page.goBack();
  await expect(search(page)).toHaveValue(id);
});

test('an address that means nothing shows the whole list', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([]);
  await page.goto('/students?sort=constructor&direction=up&q=');
  await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
});

test('a search finds by father’s name and phone and says so; filters stand in the address, for a reload and for Back', async ({
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
  await page.reload();
  await expect(names(page)).toHaveText([`Ayesha ${family}`]);
  const chips = page.getByRole('list', { name: 'Filters that are on' });
  await expect(chips.getByRole('listitem')).toContainText([
    'Syndicate: B',
    'Incomplete entries',
    'Clear all',
  ]);

  await chips.getByRole('button', { name: /Incomplete/ }).click();
  await chips.getByRole('button', { name: /Syndicate/ }).click();
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

/** Rows within the window, and how many of these are still without their student. */
const rowsInSight = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('tbody tr[data-row]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    return { some: rows.length > 5, loading: rows.filter((row) => !row.querySelector('a')).length };
  });

test('a list of thousands draws few rows at a time, and leads the keyboard through all of them', async ({
  page,
  ownServer,
}) => {
  await fillWithFaculty(ownServer, 6000);
  const { url } = ownServer;
  await signIn(page, await registerUser(url), url);
  await page.goto(`${url}/students`);
  const table = page.getByRole('table', { name: 'Students' });
  const row = (number: number) => table.locator(`[aria-rowindex="${number}"]`);
  await expect(table).toHaveAttribute('aria-rowcount', '6001');
  await expect(page.getByRole('status').first()).toHaveText('6,000 students');

  let most = 0;
  for (const part of [0.2, 0.5, 1, 0.7, 0]) {
    await page.evaluate((to) => window.scrollTo(0, document.documentElement.scrollHeight * to), part);
    // The rows that come into sight are read, as far away as they are.
    await expect.poll(() => rowsInSight(page)).toEqual({ some: true, loading: 0 });
    most = Math.max(most, await table.getByRole('row').count());
  }
  expect(most).toBeLessThan(150);

  await row(2).getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await expect(row(3).getByRole('link')).toBeFocused();
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('PageDown');
  const link = table.locator('tbody a:focus');
  await expect(link).toBeInViewport();
  expect(Number(await link.locator('xpath=ancestor::tr').getAttribute('aria-rowindex'))).toBeGreaterThan(100);
  await page.keyboard.press('End');
  await expect(row(6001).getByRole('link')).toBeFocused();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowUp');
  const name = await link.innerText();
  // Two frames: the page is told of its scrolling with the next one, and nobody leaves sooner.
  const place = await page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.scrollY))),
      ),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(link).toHaveText(name);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
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
  await page.getByRole('button', { name: 'Select all 6,000 that match' }).click();
  await row(4).getByRole('checkbox').uncheck();
  await expect(row(3).getByRole('checkbox')).toBeChecked();
  await row(3).click();
  await expect(page).toHaveURL(/\/students\/\d+/);
  await page.goBack();
  await expect(row(3).getByRole('checkbox')).toBeChecked();
  await expect(row(4).getByRole('checkbox')).not.toBeChecked();
});
