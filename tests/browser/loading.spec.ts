import { expect, type Page, test } from '../support/browser.ts';

/** Holds one read back, so that the page keeps loading until the test lets the answer through. */
async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      await released;
      // A cancelled request has nobody left to answer.
      await route.continue().catch(() => undefined);
    },
    { times: 1 },
  );
  return release;
}

test('a slow record shows the overlay; Escape cancels it and leads to the students', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  const release = await hold(page, `/api/students/${id}`);
  const aborted = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith(`/api/students/${id}`),
  );
  await page.goto(`/students/${id}`);
  const overlay = page.getByRole('dialog', { name: 'Loading student' });
  await expect(overlay).toBeVisible();
  await page.keyboard.press('Escape');
  await aborted;
  await expect(overlay).toBeHidden();
  await expect(page).toHaveURL('/students');
  await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeVisible();
  release();
});

test('the overlay goes by itself when the answer comes', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([]);
  const release = await hold(page, `/api/students/${id}`);
  await page.goto(`/students/${id}`);
  const overlay = page.getByRole('dialog', { name: 'Loading student' });
  await expect(overlay).toBeVisible();
  release();
  await expect(overlay).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui' })).toBeVisible();
});

test('a running save can’t be cancelled', async ({ staffPage: page, api }) => {
  const { id } = await api.createStudent();
  await page.goto(`/students/${id}/family/create`);
  await page.getByRole('textbox', { name: "Father's name" }).fill('Imran Siddiqui');
  await page.getByRole('textbox', { name: "Father's occupation" }).fill('Engineer');
  const release = await hold(page, '/api/students/family');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  const overlay = page.getByRole('dialog', { name: 'Processing' });
  await expect(overlay).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(overlay).toBeVisible();
  await expect(page).toHaveURL(`/students/${id}/family/create`);
  release();
  await expect(page).toHaveURL(`/students/${id}/academics/create`);
});
