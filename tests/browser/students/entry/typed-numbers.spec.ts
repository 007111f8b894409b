import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { field, fillFamilyForm, fillSemesterForm, subjectCard } from '../../../support/browser/forms.ts';
import { follow } from '../../../support/browser/screens.ts';
import { aFamily } from '../../../support/records.ts';

const recordWrites = (page: Page) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' || request.method() === 'PUT') calls.push(request.url());
  });
  return calls;
};

test('what is no number or no date is refused at its field, and removed subjects can be restored', async ({
  staffPage: page,
  api,
}) => {
  await test.step('text that is not a number is refused at its number field, and removed subjects can be restored', async () => {
    const { id } = await api.createStudent({ current_sem: 1 });
    await page.goto(`/students/${id}/family/create`);
    await fillFamilyForm(page, aFamily(id));
    const siblings = field(page, 'Number of siblings');
    await siblings.clear();
    await siblings.pressSequentially('2-3');
    const calls = recordWrites(page);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(siblings).toHaveAccessibleDescription('The number of siblings must be a number.');
    await expect(siblings).toHaveJSProperty('validity.badInput', true);
    await expect(page.getByRole('link', { name: 'Number of siblings' })).toBeVisible();
    expect(calls).toEqual([]);
    await siblings.fill('2');
    await page.getByRole('button', { name: 'Create Entry' }).click();

    await fillSemesterForm(page, [
      { title: 'Chemistry', credits: 3, grade: 'A' },
      { title: 'Calculus', credits: 3, grade: 'A' },
      { title: 'Physics', credits: 4, grade: 'B' },
    ]);
    const title = (number: number) => field(subjectCard(page, number), 'Title');
    const cards = page.getByRole('group', { name: /^Subject \d+$/ });

    await test.step('a double click on the remove button of a subject removes only that subject', async () => {
      const before = await cards.count();
      await page.getByRole('button', { name: 'Remove subject 1' }).dblclick();
      await expect(cards).toHaveCount(before - 1);
      await expect(title(2)).toHaveValue('Calculus');
      await expect(title(3)).toHaveValue('Physics');
    });

    await test.step('Undo restores a removed subject and keeps what was typed since', async () => {
      await page.getByRole('button', { name: 'Remove subject 2' }).click();
      await title(3).fill('Optics');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(title(2)).toHaveValue('Calculus');
      await expect(field(subjectCard(page, 2), 'Grade')).toHaveValue('A');
      await expect(title(3)).toHaveValue('Optics');
      // Removing an empty subject offers no Undo.
      await page.getByRole('button', { name: 'Remove subject 4' }).click();
      await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
    });

    const credits = field(subjectCard(page, 2), 'Credit Hours');
    await credits.press('End');
    await credits.press('-');
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await expect(credits).toHaveAccessibleDescription('Credit hours must be a number.');
    await credits.fill('3');
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await expect(page.getByText('Entry has been created successfully')).toBeVisible();
  });

  await test.step('an incomplete date is reported as not a date, marks that are not a number as required, and the mouse wheel changes no number', async () => {
    const { id } = await api.createRecord([]);
    await follow(page, `/students/${id}/edit`);
    const marks = field(page.getByRole('group', { name: 'HSSC/FSC' }), 'Marks');
    await marks.click();
    const before = await page.evaluate(() => window.scrollY);
    await page.mouse.wheel(0, -200);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(before);
    await expect(marks).toHaveValue('935');

    const birth = page.getByLabel('Date of birth');
    // Clears the first part of the date. Which part that is depends on the browser's locale.
    await birth.press('Backspace');
    await marks.press('End');
    await marks.press('-');
    const calls = recordWrites(page);
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(birth).toHaveAccessibleDescription('The date of birth is not a date.');
    await expect(marks).toHaveAccessibleDescription('Required. Marks are 100 to 1100.');
    expect(calls).toEqual([]);
    await birth.fill('2004-02-29');
    await marks.fill('900');
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page).toHaveURL(`/students/${id}/family/edit`);
  });
});
