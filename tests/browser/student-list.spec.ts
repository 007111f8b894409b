import { expect, type Page, test } from '../support/browser.ts';
import { unique } from '../support/records.ts';
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
