import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling, follow } from '../../../support/browser/screens.ts';

test('the tabs, the main acts and More of a record are reached by keys, by mouse and on phones', async ({
  page,
  server: { url },
  admin,
}) => {
  const { id } = await new Api(url, admin.token).createRecord(
    [[{ title: 'Calculus', credits: 3, grade: 'A' }]],
    {
      first_name: 'Fizza',
      last_name: 'Batool',
    },
  );
  await signIn(page, admin);
  await page.goto(`/students/${id}`);
  const tab = (name: string) => page.getByRole('navigation', { name: 'Student' }).getByRole('link', { name });
  await expect(tab('Record')).toHaveAttribute('aria-current', 'page');

  await test.step('a tab has an address, which a reload keeps, and a number as its key', async () => {
    await tab('Documents').click();
    await expect(page).toHaveURL(`/students/${id}/documents`);
    await expect(page.getByRole('heading', { level: 1, name: 'Fizza Batool' })).toBeVisible();
    await page.keyboard.press('3');
    await expect(page).toHaveURL(`/students/${id}/history`);
    await expect(page.getByText('entered the student')).toBeVisible();
    await page.reload();
    await expect(tab('History')).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveTitle(/^Fizza Batool.* · History of a student · /);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await expect(page).toHaveURL(/to=2020-01-01/);
    await expect(tab('History')).toHaveAttribute('aria-current', 'page');
    await page.getByRole('main').focus();
    await page.keyboard.press('1');
    await expect(page).toHaveURL(`/students/${id}`);
  });

  await test.step('More is a menu: arrows, Home and End go through it, and Escape goes back to its button', async () => {
    const more = page.getByRole('button', { name: 'More' });
    const item = (name: string) => page.getByRole('menuitem', { name });
    await more.press('Enter');
    await expect(item('Change status')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(item('Print the record')).toBeFocused();
    await page.keyboard.press('End');
    await expect(item('Change registration number…')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(item('Change status')).toBeFocused();
    await expectNoSeriousAxeFindings(page);
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    await expect(item('Change status')).toBeHidden();
  });

  await test.step('S, I and E open the status, the documents and the form, but not after G', async () => {
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('s');
    await expect(dialog.getByRole('heading', { name: 'Change status' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('i');
    await expect(dialog.getByRole('heading', { name: 'Issue documents' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('e');
    await expect(page).toHaveURL(`/students/${id}/edit`);
    await follow(page, `/students/${id}`);
    await page.getByRole('main').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(page).toHaveURL('/students');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('Documents, imports and bulk changes are in the menu of the list on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [name, url] of [
      ['Documents', /\/documents$/],
      ['Import results', /\/imports\/new\?kind=results$/],
      ['Imports and undo', /\/imports$/],
      ['Bulk changes', /\/bulk-changes$/],
    ] as const) {
      await follow(page, '/students');
      await page.getByRole('button', { name: 'More' }).click();
      await expectNoSidewaysScrolling(page);
      await page.getByRole('menuitem', { name, exact: true }).click();
      await expect(page).toHaveURL(url);
    }
  });
});
