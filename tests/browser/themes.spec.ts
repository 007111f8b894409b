import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { expect, type Page, test } from '../support/browser.ts';
import { GUEST_SCREENS, STAFF_SCREENS } from '../support/screens.ts';

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test.beforeEach(({ expectedProblems }) => {
  expectedProblems.add(422);
});

async function expectNoSeriousFindingsInEitherTheme(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoSeriousAxeFindings(page);
  // The same elements in other colours.
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
}

for (const { name, open } of GUEST_SCREENS) {
  test(`axe finds nothing serious on ${name} in either theme`, async ({ page, api }) => {
    await open(page, api);
    await expectNoSeriousFindingsInEitherTheme(page);
  });
}

for (const { name, open } of STAFF_SCREENS) {
  test(`axe finds nothing serious on ${name} in either theme`, async ({ staffPage: page, api }) => {
    await open(page, api);
    await expectNoSeriousFindingsInEitherTheme(page);
  });
}

test('the theme follows the system until one is chosen, and the choice stays over a reload', async ({
  staffPage: page,
}) => {
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
