import { test } from '../support/browser.ts';
import { expectNoSidewaysScrolling, GUEST_SCREENS, STAFF_SCREENS } from '../support/screens.ts';

test.use({ viewport: { width: 320, height: 640 } });

test.beforeEach(({ expectedProblems }) => {
  expectedProblems.add(422);
});

for (const { name, open } of GUEST_SCREENS) {
  test(`${name} needs no sideways scrolling at 320 pixels`, async ({ page, api }) => {
    await open(page, api);
    await expectNoSidewaysScrolling(page);
  });
}

for (const { name, open } of STAFF_SCREENS) {
  test(`${name} needs no sideways scrolling at 320 pixels, nor at 390 with text twice as large`, async ({
    staffPage: page,
    api,
  }) => {
    await open(page, api);
    await expectNoSidewaysScrolling(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    await expectNoSidewaysScrolling(page);
  });
}
