import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { follow } from '../../support/browser/screens.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('Back closes a dialog before it leaves the page and answers a question with No, and no closed dialog is left in the history', async ({
  staffPage: page,
  api,
}) => {
  await test.step('Back closes a dialog before it leaves the page, and no closed dialog is left in the history', async () => {
    const { course_id } = await api.createCourse();
    const { id } = await api.createRecord([
      [{ title: 'Thermodynamics', courseId: course_id, credits: 3, grade: 'A' }],
      [{ title: 'Databases', credits: 3, grade: 'F' }],
    ]);
    const record = `/students/${id}`;
    const list = `/students?q=${id}`;
    const drawer = page.getByRole('dialog', { name: /^Semester/ });
    const openDrawer = () => page.getByRole('button', { name: /^Semester 1 / }).click();
    await page.goto(list);
    await page.getByRole('row').filter({ hasText: id }).getByRole('link').click();
    await openDrawer();
    await page.getByRole('button', { name: 'Next semester' }).click();
    await expect(drawer.getByRole('heading', { name: 'Databases' })).toBeVisible();
    await page.goBack();
    await expect(drawer).toBeHidden();
    await expect(page).toHaveURL(record);
    await expect(page.getByRole('button', { name: /^Semester 1 / })).toBeFocused();

    // Closed in another way, it takes its entry back: one Back leads to the list, and Forward to the record.
    await openDrawer();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await openDrawer();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(drawer).toBeHidden();
    await expect.poll(() => page.evaluate(() => history.state.dialogs)).toBeUndefined();
    await page.goBack();
    await expect(page).toHaveURL(list);
    await page.goForward();
    await expect(heading(page)).toHaveText('Ayesha Siddiqui');
    // The entry that the drawer had.
    await page.goForward();
    await expect.poll(() => page.evaluate(() => history.state.dialogs)).toBeUndefined();
    await expect(drawer).toBeHidden();

    // A link leads on from the record's own entry.
    await openDrawer();
    await drawer.getByRole('link', { name: 'Thermodynamics' }).click();
    await expect(page).toHaveURL(`/courses/${course_id}`);
    await expect(drawer).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(record);
    await expect(heading(page)).toHaveText('Ayesha Siddiqui');

    // A reload closes the drawer, and takes its entry back too.
    await openDrawer();
    await page.reload();
    await expect.poll(() => page.evaluate(() => history.state.dialogs)).toBeUndefined();
    await expect(drawer).toBeHidden();

    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    await palette.getByRole('combobox').fill('Keyboard shortcuts');
    await page.keyboard.press('Enter');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(shortcuts).toBeVisible();
    await page.goBack();
    await expect(shortcuts).toBeHidden();
    await expect(palette).toBeHidden();
    await expect(page).toHaveURL(record);
    await page.goBack();
    await expect(page).toHaveURL(list);
  });

  await test.step('Back answers a question with No, and does nothing while a delete runs', async () => {
    const { id } = await api.createRecord([]);
    await follow(page, `/students/${id}`);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await page.getByLabel('First name').fill('Amina');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.goBack();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(`/students/${id}/edit`);
    await expect(page.getByLabel('First name')).toHaveValue('Amina');
    // Two at once: the first answers, the second leaves.
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(question).toBeVisible();
    await page.evaluate(() => {
      history.back();
      history.back();
    });
    await expect(page).toHaveURL(`/students/${id}`);
    await expect(question).toBeHidden();
    await page.goForward();
    await expect(page.getByLabel('First name')).toHaveValue('Amina');

    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/api/students/${id}`, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Yes' }).click();
    await expect(question.getByRole('button', { name: 'Processing' })).toBeVisible();
    await page.goBack();
    await expect.poll(() => page.evaluate(() => history.state.dialogs)).toBe(1);
    await expect(question).toBeVisible();
    release();
    await expect(page).toHaveURL('/students');
    // The deleted student's page is gone from the history: Back leads to the record before it.
    await expect(question).toBeHidden();
    await expect.poll(() => page.evaluate(() => history.state.dialogs)).toBeUndefined();
  });
});
