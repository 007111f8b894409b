import { expect, test } from '../support/browser/fixtures.ts';

// Covers 2.38, 2.39
test('the sidebar collapses to 60 pixels and expands again', async ({ staffPage: page }) => {
  await page.goto('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const width = async () => (await navigation.boundingBox())?.width;
  const toggle = page.getByRole('button', { name: /^(Collapse|Expand) navigation$/ });
  await expect(page.getByText('Admin', { exact: true }).filter({ visible: true })).toBeVisible();
  await expect.poll(width).toBeGreaterThan(110);

  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect.poll(width).toBeLessThanOrEqual(60);
  await expect(navigation.getByRole('link', { name: 'Students' })).toBeVisible();

  await toggle.click();
  await expect.poll(width).toBeGreaterThan(110);
});

// Covers 2.5, 2.16, 2.44
test('every navigation entry opens its page', async ({ staffPage: page }) => {
  await page.goto('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const [name, path] of [
    ['Students', '/students'],
    ['Courses', '/courses'],
    ['Insights', '/insights'],
    ['Users', '/list-users'],
    ['Home', '/'],
  ] as const) {
    await navigation.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(navigation.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
  }
});

// Covers 2.20
test('an unknown URL shows the page “Page not found”', async ({ staffPage: page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  // A malformed percent escape matches no screen either.
  await page.goto('/students/%E0%A4%A');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test.describe('at 390 pixels', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  // Covers 2.36, 2.41, 2.42, 3.44
  test('the menu opens from the header and closes with its X, with Escape and when an entry is chosen', async ({
    staffPage: page,
  }) => {
    await page.goto('/');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    const open = page.getByRole('button', { name: 'Open menu' });
    await expect(page.getByRole('banner').getByText('SIMS', { exact: true })).toBeVisible();

    await open.click();
    await expect(menu).toBeVisible();
    await menu.getByRole('button', { name: 'Close menu' }).click();
    await expect(menu).toBeHidden();

    await open.click();
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(open).toBeFocused();

    await open.click();
    await menu.getByRole('link', { name: 'Students' }).click();
    await expect(menu).toBeHidden();
    await expect(page).toHaveURL('/students');
  });

  // Covers 2.45, 2.46, 4.37
  test('the header and the menu contain Logout', async ({ staffPage: page }) => {
    await page.goto('/');
    const dialog = page.getByRole('alertdialog');
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('button', { name: 'No' }).click();

    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test('a Ctrl-click or middle click opens a student in a new tab, signed in, and leaves the list unchanged', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord([]);
  await page.goto(`/students?q=${student.id}`);
  const link = page.getByRole('row').filter({ hasText: student.id }).getByRole('link');
  const expectNewTab = async (click: Promise<void>) => {
    const [tab] = await Promise.all([page.waitForEvent('popup'), click]);
    await expect(tab.getByRole('heading', { level: 1 })).toContainText(student.first_name);
    await tab.close();
  };
  await expectNewTab(link.click({ modifiers: ['ControlOrMeta'] }));
  await expectNewTab(link.click({ button: 'middle' }));
  await expect(page).toHaveURL(`/students?q=${student.id}`);
});
