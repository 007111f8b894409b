import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test, waitForHistory } from '../../../support/browser/fixtures.ts';
import { follow } from '../../../support/browser/screens.ts';
import { unique } from '../../../support/records.ts';

const views = (page: Page) => page.getByRole('region', { name: 'Views' });
const viewLink = (page: Page, name: string) => views(page).getByRole('link', { name, exact: true });
const viewButton = (page: Page, name: string) => views(page).getByRole('button', { name });
const nameDialog = (page: Page) => page.getByRole('dialog', { name: /this view$/ });

async function saveAs(page: Page, name: string): Promise<void> {
  await nameDialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
}

test('a view of the list is saved under a name, opened again, renamed and removed', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const word = `V${unique()}`;
  await api.createStudent({ last_name: word, department: 'EE', current_sem: 6 });
  await page.goto('/students');
  await expect(viewLink(page, 'All students')).toHaveAttribute('aria-current', 'page');
  await expect(viewButton(page, 'Save this view')).toHaveCount(0);

  await follow(page, `/students?q=${word}&department=EE&current_sem=6`);
  await viewButton(page, 'Save this view').click();
  const name = nameDialog(page).getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue(`“${word}”, EE, semester 6`);
  await expect(name).toBeFocused();
  await expectNoSeriousAxeFindings(page);
  // The suggested name is selected, so one key replaces it. An empty name is refused with a message.
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(nameDialog(page)).toContainText('Required');
  await saveAs(page, 'Sixth semester');
  await expect(nameDialog(page)).toHaveCount(0);
  await expect(viewLink(page, 'Sixth semester')).toHaveAttribute('aria-current', 'page');
  await expect(viewLink(page, 'Sixth semester')).toBeFocused();

  // A saved view is opened from another view.
  await viewLink(page, 'All students').click();
  await expect(page).toHaveURL('/students');
  await viewLink(page, 'Sixth semester').click();
  await expect(page).toHaveURL(`/students?q=${word}&department=EE&current_sem=6`);
  await expect(page.getByRole('searchbox', { name: 'Search students' })).toHaveValue(word);
  await expect(page.getByRole('row').filter({ hasText: word })).toBeVisible();

  await follow(page, `/students?department=EE&sort=age&direction=descending`);
  await viewButton(page, 'Save this view').click();
  await saveAs(page, 'SIXTH semester');
  await expect(nameDialog(page)).toContainText('The name has already been taken.');
  await saveAs(page, 'Oldest first');
  await expect(viewLink(page, 'Oldest first')).toHaveAttribute('aria-current', 'page');
  await waitForHistory(page);
  await page.reload();
  await expect(viewLink(page, 'Oldest first')).toHaveAttribute('aria-current', 'page');
  await expect(views(page).getByRole('link')).toHaveText(['All students', 'Oldest first', 'Sixth semester']);

  await viewButton(page, 'Rename view').click();
  await saveAs(page, 'Seniors');
  await expect(viewButton(page, 'Rename view')).toBeFocused();
  await expect(views(page).getByRole('link')).toHaveText(['All students', 'Seniors', 'Sixth semester']);
  await viewButton(page, 'Remove view').click();
  await expect(views(page).getByRole('link')).toHaveText(['All students', 'Sixth semester']);
  await expect(viewButton(page, 'Save this view')).toBeFocused();
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect(viewLink(page, 'Seniors')).toHaveAttribute('aria-current', 'page');

  await page.setViewportSize({ width: 320, height: 640 });
  await expect(viewButton(page, 'Rename view')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page);
  // The palette finds saved views as well.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused();
  await page.keyboard.type('sixth');
  await expect(page.getByRole('option', { name: /Sixth semester/, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(viewLink(page, 'Sixth semester')).toHaveAttribute('aria-current', 'page');
});
