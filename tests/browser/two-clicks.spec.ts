import type { Api } from '../support/api.ts';
import { expect, type Page, test } from '../support/browser.ts';
import { fillFamilyForm } from '../support/forms.ts';
import { aFamily } from '../support/records.ts';

const SUBJECTS = [{ title: 'Calculus', credits: 3, grade: 'A' }] as const;

/** Milliseconds between the clicks of a quick hand. */
const BETWEEN = 150;

/** Two clicks at the very place where the button stands, whatever stands there at the second one. */
async function clickTwice(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  // The form may still be out of reach itself.
  await button.click({ trial: true });
  const box = await button.boundingBox();
  if (box === null) throw new Error(`The button ${name} is not on the screen.`);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  await page.mouse.click(x, y);
  await page.waitForTimeout(BETWEEN);
  await page.mouse.click(x, y, { clickCount: 2 });
}

const semestersOf = async (api: Api, id: string) =>
  (await api.get<{ academics: unknown[] }>(`/api/students/${id}`)).academics.length;

/** Long enough for a click that was not held back to have sent its form. */
const settle = (page: Page) => page.waitForTimeout(400);

test('two clicks send one step of a new entry, not the next one too', async ({ staffPage: page, api }) => {
  const { id } = await api.createStudent({ current_sem: 3 });
  await page.goto(`/students/${id}/family/create`);
  await fillFamilyForm(page, aFamily(id));
  await clickTwice(page, 'Create Entry');
  await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
  await settle(page);
  expect(await semestersOf(api, id)).toBe(0);
});

test('two clicks send one step of an edit, not the next one too', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([SUBJECTS, SUBJECTS, SUBJECTS], { current_sem: 3 });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url());
  });
  await page.goto(`/students/${id}/edit`);
  await clickTwice(page, 'Update Entry');
  await expect(page).toHaveURL(`/students/${id}/family/edit`);
  await settle(page);
  expect(sent).toHaveLength(1);
  await clickTwice(page, 'Update Entry');
  await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
  await settle(page);
  expect(sent).toHaveLength(2);
  await clickTwice(page, 'Update Semester Entry');
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await settle(page);
  expect(sent).toHaveLength(3);
});

test('the keyboard sends a form as soon as it is there', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([SUBJECTS], { current_sem: 1 });
  await page.goto(`/students/${id}/family/edit`);
  const update = page.getByRole('button', { name: 'Update Entry' });
  await update.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/students/${id}/academics/edit`);
});

test('two clicks send one step where motion is to be reduced, too', async ({ staffPage: page, api }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { id } = await api.createRecord([SUBJECTS, SUBJECTS]);
  await page.goto(`/students/${id}/academics/edit`);
  await clickTwice(page, 'Update Semester Entry');
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await settle(page);
  await expect(page).toHaveURL(`/students/${id}/academics/edit`);
});
