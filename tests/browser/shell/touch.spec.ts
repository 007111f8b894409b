import { Api } from '../../support/api.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { createSheet, markCell } from '../../support/browser/marks-grid.ts';
import { follow } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

/** Controls that would only be seen under a pointer. */
const findUnseen = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, button svg, summary)')]
      .filter((element) => {
        if (element.closest('.sr-only, .skip-link, [inert], :disabled') !== null) return false;
        return element.checkVisibility() && !element.checkVisibility({ opacityProperty: true });
      })
      .map((element) => element.closest('button, a, summary')?.textContent),
  );

test('on a tablet everything is seen and done by touch', async ({ browser, server, admin }) => {
  const api = new Api(server.url, admin.token);
  const last_name = `Khan${unique()}`;
  const results = [[{ title: 'Calculus', credits: 4, grade: 'B' }]] as const;
  const { id } = await api.createRecord(results, { last_name, current_sem: 2 });
  await api.createRecord(results, { last_name, current_sem: 2 });
  const { sheet_id } = await createSheet(api, { students: 2 });
  const context = await browser.newContext({
    ...{ viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true },
    ...{ reducedMotion: 'reduce', baseURL: server.url },
  });
  const page = await context.newPage();
  await signIn(page, admin);

  await test.step('the menu leads to the list', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await page.getByRole('dialog').getByRole('link', { name: 'Students', exact: true }).tap();
    await expect(page).toHaveURL(/\/students$/);
  });
  await test.step('students are selected and changed', async () => {
    await follow(page, `/students?q=${last_name}`);
    const boxes = page.getByRole('row').getByRole('checkbox', { name: /Select .*Khan/ });
    await expect(boxes).toHaveCount(2);
    await boxes.first().tap();
    await boxes.last().tap();
    await page
      .getByRole('region', { name: 'Selected students' })
      .getByRole('button', { name: 'Change' })
      .tap();
    await page.getByLabel('What to change').selectOption('Move to the next semester');
    await page.getByRole('button', { name: 'Move 2 students' }).tap();
    await expect(page.getByText('2 students have been moved to the next semester.')).toBeVisible();
    expect(await findUnseen(page)).toEqual([]);
  });
  await test.step('a row opens its record, where a value is corrected and a dialog opened', async () => {
    await page.getByRole('row').filter({ hasText: id }).getByRole('cell').last().tap();
    await expect(page).toHaveURL(new RegExp(`/students/${id}$`));
    await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
    expect(await findUnseen(page)).toEqual([]);
    await page.getByTitle('Correct: Phone number').tap();
    await page.getByRole('textbox', { name: 'Phone number' }).fill('0300 7654321');
    await page.keyboard.press('Enter');
    await expect(page.getByTitle('Correct: Phone number')).toHaveText('0300 7654321');
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Change status' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap();
    await page.getByRole('button', { name: 'Semester 1 ' }).tap();
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Calculus' })).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
  });
  await test.step('marks are entered', async () => {
    await follow(page, `/marksheets/${sheet_id}`);
    await markCell(page, 0, 0).tap();
    await page.keyboard.type('30');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: /^Saved / })).toBeVisible();
    expect(await findUnseen(page)).toEqual([]);
  });
  await test.step('no other screen hides what can be pressed', async () => {
    for (const path of [
      ...['/', '/courses', '/marksheets', '/insights', '/documents', '/imports', '/history', '/list-users'],
      ...['/settings/terms', '/settings/grading', '/settings/schemes', '/settings/schemes/equivalents'],
      ...[`/students/${id}/scheme`, `/students/${id}/history`, `/marksheets/${sheet_id}/class`],
    ]) {
      await follow(page, path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      expect(await findUnseen(page), path).toEqual([]);
    }
  });
  await context.close();
});
