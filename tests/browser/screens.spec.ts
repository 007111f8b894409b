import { expectNoSeriousAxeFindings } from '../support/browser/accessibility.ts';
import { type Page, test } from '../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling, GUEST_SCREENS, STAFF_SCREENS } from '../support/browser/screens.ts';

test.beforeEach(({ expectedProblems }) => {
  expectedProblems.add(422);
});

async function expectAccessibleInEitherTheme(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoSeriousAxeFindings(page);
  // The elements are the same, so only their contrast is checked again.
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
}

async function expectToFit320Pixels(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
}

// Opening a screen takes longer than checking it, so one test makes all the checks of a screen.
for (const { name, open } of GUEST_SCREENS) {
  // Covers 2.37
  test(`${name} is accessible in either theme, and needs no horizontal scrolling at 320 pixels`, async ({
    page,
    api,
  }) => {
    await open(page, api);
    await expectAccessibleInEitherTheme(page);
    await expectToFit320Pixels(page);
  });
}

for (const { name, open } of STAFF_SCREENS) {
  // Covers 2.37
  test(`${name} is accessible in either theme, and needs no horizontal scrolling at 320 pixels, nor at 390 with text twice as large`, async ({
    staffPage: page,
    api,
  }) => {
    await open(page, api);
    await expectAccessibleInEitherTheme(page);
    await expectToFit320Pixels(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    await expectNoSidewaysScrolling(page);
  });
}
