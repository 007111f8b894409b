import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { expect, type Page, test } from '../support/browser.ts';
import { unique } from '../support/records.ts';

const views = (page: Page) => page.getByRole('region', { name: 'Views' });
const view = (page: Page, name: string) => views(page).getByRole('link', { name, exact: true });
const act = (page: Page, name: string) => views(page).getByRole('button', { name });
const naming = (page: Page) => page.getByRole('dialog', { name: /this view$/ });

async function saveAs(page: Page, name: string): Promise<void> {
  await naming(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
}

test('a view of the list is kept under a name, is one press away, and is renamed and removed', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const word = `V${unique()}`;
  await api.createStudent({ last_name: word, department: 'EE', current_sem: 6 });
  await page.goto('/students');
  await expect(view(page, 'All students')).toHaveAttribute('aria-current', 'page');
  await expect(act(page, 'Save this view')).toHaveCount(0);

  await page.goto(`/students?q=${word}&department=EE&current_sem=6`);
  await act(page, 'Save this view').click();
  const name = naming(page).getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue(`“${word}”, EE, semester 6`);
  await expect(name).toBeFocused();
  await expectNoSeriousAxeFindings(page);
  // The suggestion is there to be typed over, and nothing is refused without a word.
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(naming(page)).toContainText('The name field is required.');
  await saveAs(page, 'Sixth semester');
  await expect(naming(page)).toHaveCount(0);
  await expect(view(page, 'Sixth semester')).toHaveAttribute('aria-current', 'page');
  await expect(view(page, 'Sixth semester')).toBeFocused();

  // From anywhere in the list, and the one that is shown is marked.
  await view(page, 'All students').click();
  await expect(page).toHaveURL('/students');
  await view(page, 'Sixth semester').click();
  await expect(page).toHaveURL(`/students?q=${word}&department=EE&current_sem=6`);
  await expect(page.getByRole('searchbox', { name: 'Search students' })).toHaveValue(word);
  await expect(page.getByRole('row').filter({ hasText: word })).toBeVisible();

  await page.goto(`/students?department=EE&sort=age&direction=descending`);
  await act(page, 'Save this view').click();
  await saveAs(page, 'SIXTH semester');
  await expect(naming(page)).toContainText('The name has already been taken.');
  await saveAs(page, 'Oldest first');
  await expect(view(page, 'Oldest first')).toHaveAttribute('aria-current', 'page');
  await page.reload();
  await expect(view(page, 'Oldest first')).toHaveAttribute('aria-current', 'page');
  await expect(views(page).getByRole('link')).toHaveText(['All students', 'Oldest first', 'Sixth semester']);

  await act(page, 'Rename view').click();
  await saveAs(page, 'Seniors');
  await expect(act(page, 'Rename view')).toBeFocused();
  await expect(views(page).getByRole('link')).toHaveText(['All students', 'Seniors', 'Sixth semester']);
  await act(page, 'Remove view').click();
  await expect(views(page).getByRole('link')).toHaveText(['All students', 'Sixth semester']);
  await expect(act(page, 'Save this view')).toBeFocused();
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect(view(page, 'Seniors')).toHaveAttribute('aria-current', 'page');

  await page.setViewportSize({ width: 320, height: 640 });
  await expect(act(page, 'Rename view')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page);
  // The palette knows them as well.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sixth');
  await page.keyboard.press('Enter');
  await expect(view(page, 'Sixth semester')).toHaveAttribute('aria-current', 'page');
});
