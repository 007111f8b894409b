import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling, follow } from '../../../support/browser/screens.ts';

test('the tabs, the main acts and More of a record are reached by keys, by mouse and on phones', async ({
  page,
  server: { url },
  admin,
  expectedProblems,
}) => {
  expectedProblems.add(422);
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
    await page.keyboard.press('6');
    await expect(page).toHaveURL(`/students/${id}/history`);
    await expect(page.getByText('entered the student')).toBeVisible();
    await page.reload();
    await expect(tab('History')).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveTitle(/^Fizza Batool.* · History of a student · /);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await expect(page).toHaveURL(/to=2020-01-01/);
    await expect(tab('History')).toHaveAttribute('aria-current', 'page');
    await page.emulateMedia({ forcedColors: 'active' });
    const isMarked = await page.evaluate(() => {
      const canvas = getComputedStyle(document.body).backgroundColor;
      return ['.page-tabs [aria-current]::after', '.sidebar [aria-current]::before'].map((mark) => {
        const [selector = '', pseudo = ''] = mark.split('::');
        const element = document.querySelector(selector);
        return element !== null && getComputedStyle(element, `::${pseudo}`).backgroundColor !== canvas;
      });
    });
    expect(isMarked).toEqual([true, true]);
    await page.emulateMedia({ forcedColors: 'none' });
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

  await test.step('one value is corrected in place, also where somebody else has changed it meanwhile', async () => {
    const api = new Api(url, admin.token);
    const { student } = await api.get<{ student: Record<string, unknown> }>(`/api/students/${id}/base`);
    const phone = page.getByRole('definition').nth(4).getByRole('button');
    const field = page.getByRole('textbox', { name: 'Phone number' });
    await phone.press('Enter');
    await expect(field).toBeFocused();
    await page.keyboard.type('0300 1111111');
    await page.keyboard.press('Escape');
    await expect(phone).toBeFocused();
    await expect(phone).toHaveText(String(student.phone_number));

    await page.keyboard.press('Enter');
    await page.keyboard.type('0300 5550199');
    await expectNoSeriousAxeFindings(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Phone number saved')).toBeVisible();
    await expect(phone).toHaveText('0300 5550199');
    await expect(phone).toBeFocused();

    await page.keyboard.press('Enter');
    await page.keyboard.type('0300 5550200');
    await api.send('PUT', `/api/students/${id}`, {
      ...student,
      phone_number: '0300 5550300',
      fsc_marks: 935,
      matric_marks: 987.5,
    });
    await page.keyboard.press('Enter');
    await expect(page.getByText(/Another user has changed this to “0300 5550300”/)).toBeVisible();
    await expect(field).toHaveValue('0300 5550200');
    await page.keyboard.press('Enter');
    await expect(phone).toHaveText('0300 5550200');

    await phone.press('Enter');
    await page.keyboard.type('0300 5550400');
    await page.getByRole('link', { name: 'Documents', exact: true }).last().click();
    await expect(page).toHaveURL(`/students/${id}/documents`);
    await page.goBack();
    await expect(field).toHaveValue('0300 5550400');
    await expect(page.getByText('Not saved yet.')).toBeVisible();
    await field.press('Escape');
    await expect(phone).toHaveText('0300 5550200');
    await page.reload();
    await expect(phone).toHaveText('0300 5550200');

    const siblings = page.getByRole('button', { name: /^\d$/ });
    await siblings.click();
    await page.keyboard.type('many');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/number of siblings/i).last()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(siblings).toBeFocused();
    await page.getByRole('main').focus();
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
    const firstRow = page.locator('[data-row="0"] a');
    await expect(firstRow).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await expect(firstRow).toBeFocused();
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
