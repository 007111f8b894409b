import { clockTest, expect, type Page, test } from '../../support/browser/fixtures.ts';
import { follow } from '../../support/browser/screens.ts';

/** Delays the next request to `path` until the returned function is called. */
async function delayRequest(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      await released;
      // Fails when the page has cancelled the request.
      await route.continue().catch(() => undefined);
    },
    { times: 1 },
  );
  return release;
}

// Covers 2.31, 2.32, 3.41, 4.54, 2.34
test('the loading overlay of a slow record closes when the response arrives, and with Escape, which does not cancel a running save', async ({
  staffPage: page,
  api,
}) => {
  await test.step('the loading overlay of a slow record closes when the response arrives, and with Escape, which cancels the request and opens the student list', async () => {
    const { id } = await api.createRecord([]);
    const release = await delayRequest(page, `/api/students/${id}`);
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

    const releaseSecond = await delayRequest(page, `/api/students/${id}`);
    await page.evaluate((path) => history.pushState(null, '', path), `/students/${id}`);
    await expect(overlay).toBeVisible();
    releaseSecond();
    await expect(overlay).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui' })).toBeVisible();
  });

  await test.step('Escape does not cancel a running save', async () => {
    const { id } = await api.createStudent();
    await follow(page, `/students/${id}/family/create`);
    await page.getByRole('textbox', { name: "Father's name" }).fill('Imran Siddiqui');
    await page.getByRole('textbox', { name: "Father's occupation" }).fill('Engineer');
    const release = await delayRequest(page, '/api/students/family');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    const overlay = page.getByRole('dialog', { name: 'Processing' });
    await expect(overlay).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(overlay).toBeVisible();
    await expect(page).toHaveURL(`/students/${id}/family/create`);
    release();
    await expect(page).toHaveURL(`/students/${id}/academics/create`);
  });
});

clockTest(
  'the loading overlay waits until the palette is closed, which keeps what is typed',
  async ({ staffPage: page, api }) => {
    const { id } = await api.createRecord([]);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
    const now = Date.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 60_000);
    const release = await delayRequest(page, `/api/students/${id}`);
    const requested = page.waitForRequest((request) => request.url().endsWith(`/api/students/${id}`));
    await page.evaluate((path) => history.pushState(null, '', path), `/students/${id}`);
    await requested;
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search or jump to' });
    await expect(search).toBeFocused();
    await page.keyboard.type('2');
    await page.clock.runFor(1_000);
    await page.keyboard.type('025');
    await expect(search).toHaveValue('2025');

    const overlay = page.getByRole('dialog', { name: 'Loading student' });
    await expect(overlay).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(overlay).toBeVisible();
    await page.clock.resume();
    release();
    await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui' })).toBeVisible();
  },
);

clockTest(
  'the form of the own account can be filled in while the list of users loads',
  async ({ staffPage: page, account }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
    await page.clock.install();
    const release = await delayRequest(page, '/api/users');
    await page.evaluate(() => history.pushState(null, '', '/list-users#edit'));
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect(name).toHaveValue(account.user.name);
    await page.clock.runFor(1_000);
    await name.fill('Sana Malik');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    release();
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
    await expect(name).toHaveValue('Sana Malik');
  },
);
