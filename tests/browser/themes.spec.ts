import { expect, type Page, test } from '../support/browser/fixtures.ts';

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('the theme follows the system until one is chosen, and the choice survives a reload', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => background(page)).not.toBe(light);
  const dark = await background(page);

  await page.getByRole('button', { name: 'Use the light theme' }).click();
  await expect.poll(() => background(page)).toBe(light);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Use the dark theme' })).toBeVisible();
  expect(await background(page)).toBe(light);
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await expect.poll(() => background(page)).toBe(dark);
});
