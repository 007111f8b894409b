import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { type Page, test } from '../support/browser.ts';
import { expectNoSidewaysScrolling, GUEST_SCREENS, STAFF_SCREENS } from '../support/screens.ts';

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

async function expectToFit320Pixels(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
}

// Opening a screen takes longer than looking at it, so all that holds for each is looked at in one go.
for (const { name, open } of GUEST_SCREENS) {
  test(`${name} is accessible in either theme, and needs no sideways scrolling at 320 pixels`, async ({
    page,
    api,
  }) => {
    await open(page, api);
    await expectNoSeriousFindingsInEitherTheme(page);
    await expectToFit320Pixels(page);
  });
}

for (const { name, open } of STAFF_SCREENS) {
  test(`${name} is accessible in either theme, and needs no sideways scrolling at 320 pixels, nor at 390 with text twice as large`, async ({
    staffPage: page,
    api,
  }) => {
    await open(page, api);
    await expectNoSeriousFindingsInEitherTheme(page);
    await expectToFit320Pixels(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    await expectNoSidewaysScrolling(page);
  });
}
