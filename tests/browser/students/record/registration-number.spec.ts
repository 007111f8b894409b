import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../../support/browser/fixtures.ts';
import { field as formField } from '../../../support/browser/forms.ts';
import { chooseInMore, follow } from '../../../support/browser/screens.ts';
import { unique } from '../../../support/records.ts';

test('an administrator changes a registration number after a preview, and the old one leads to the record', async ({
  page,
  server: { url },
  admin,
  expectedProblems,
}) => {
  expectedProblems.add(422).add(404).add(412);
  const [taken, next] = [`TAKEN-${unique()}`, unique()];
  const api = new Api(url, admin.token);
  const { id } = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]]);
  await api.createStudent({ id: taken });
  await signIn(page, admin);
  await page.goto(`/students/${id}/edit`);
  await formField(page, 'Last name').fill('Typed before');
  await follow(page, `/students/${id}`);
  await chooseInMore(page, 'Change registration number…');
  const dialog = page.getByRole('dialog', { name: 'Change registration number' });
  const field = dialog.getByLabel('New registration number');
  await expect(field).toBeVisible();
  await field.fill(taken);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The registration number has already been taken.')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(taken);
  await field.fill(next);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('1, all kept')).toBeVisible();
  await expect(dialog.getByText('3 entries stay readable from the record')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: `Change to ${next}` }).click();

  await expect(page).toHaveURL(`/students/${next}`);
  await expect(page.getByText(`The registration number was changed from ${id} to ${next}.`)).toBeVisible();
  await expect(page.getByText(`CMS ID ${next}`)).toBeVisible();
  await page.locator('#main').getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('changed the registration number')).toBeVisible();
  await expect(page.getByText('entered the student')).toBeVisible();

  await test.step('what was typed before is kept, and saved under the new number', async () => {
    await follow(page, `/students/${next}/edit`);
    await expect(formField(page, 'Last name')).toHaveValue('Typed before');
    await expect(formField(page, 'Registration number')).toHaveValue(next);
    const save = page.getByRole('button', { name: 'Update Entry' });
    await save.click();
    await expect(page.getByText('Your changes are kept. Save again to store them.')).toBeVisible();
    await save.click();
    await expect(page).toHaveURL(`/students/${next}/family/edit`);
  });

  await page.goto(`/students/${id}`);
  await expect(page).toHaveURL(`/students/${next}`);
  await expect(page.getByText(`The registration number ${id} was changed to ${next}.`)).toBeVisible();
  await page.goto(`/students?q=${id}`);
  await expect(page.getByRole('row').filter({ hasText: next })).toContainText(`Formerly ${id}`);
});
