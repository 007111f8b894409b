import { expect, test } from '../support/browser.ts';

test('the sidebar folds to 60 pixels without words and back to 120', async ({ staffPage: page }) => {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const width = async () => (await navigation.boundingBox())?.width;
  const fold = page.getByRole('button', { name: /^(Collapse|Expand) navigation$/ });
  await expect(page.getByText('Admin', { exact: true }).filter({ visible: true })).toBeVisible();
  await expect.poll(width).toBeGreaterThan(110);

  await fold.click();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect.poll(width).toBeLessThanOrEqual(60);
  await expect(navigation.getByRole('link', { name: 'Students' })).toBeVisible();

  await fold.click();
  await expect.poll(width).toBeGreaterThan(110);
});

test('every entry leads where it says', async ({ staffPage: page }) => {
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

test('an unknown address says so and leads on', async ({ staffPage: page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  // A broken escape can be no screen's address either.
  await page.goto('/students/%E0%A4%A');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test.describe('at 390 pixels', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu opens from the header and closes on its X, on Escape and on any choice', async ({
    staffPage: page,
  }) => {
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

  test('Logout stands in the header and in the menu', async ({ staffPage: page }) => {
    const dialog = page.getByRole('alertdialog');
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('button', { name: 'No' }).click();

    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test('a click with Ctrl or the middle button opens a student in a new tab, signed in, and leaves the list as it is', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord([]);
  await page.goto(`/students?q=${student.id}`);
  const link = page.getByRole('row').filter({ hasText: student.id }).getByRole('link');
  const expectTab = async (click: Promise<void>) => {
    const [tab] = await Promise.all([page.waitForEvent('popup'), click]);
    await expect(tab.getByRole('heading', { level: 1 })).toContainText(student.first_name);
    await tab.close();
  };
  await expectTab(link.click({ modifiers: ['ControlOrMeta'] }));
  await expectTab(link.click({ button: 'middle' }));
  await expect(page).toHaveURL(`/students?q=${student.id}`);
});
