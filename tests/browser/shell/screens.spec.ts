import { Api, registerUser } from '../../support/api.ts';
import {
  expectContrastInForcedColors,
  expectNoSeriousAxeFindings,
} from '../../support/browser/accessibility.ts';
import { type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { createSheet } from '../../support/browser/marks-grid.ts';
import {
  addSchemeScreens,
  expectNoSidewaysScrolling,
  GUEST_SCREENS,
  OTHER_SCREENS,
  type Screen,
  STUDENT_SCREENS,
  sheetScreens,
  teacherScreens,
} from '../../support/browser/screens.ts';

test.beforeEach(({ expectedProblems }) => {
  expectedProblems.add(422);
});

/** Opening a screen takes longer than checking it, so all the checks are made at once. */
async function expectAccessibleAtAnySize(page: Page, api: Api, { name, open }: Screen): Promise<void> {
  await test.step(name, async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, api);
    await expectNoSeriousAxeFindings(page);
    // The elements are the same, so only their contrast is checked again.
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoSeriousAxeFindings(page, ['color-contrast']);
    await expectContrastInForcedColors(page);

    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScrolling(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSeriousAxeFindings(page);
    const setFontSize = (size: string) =>
      page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, size);
    await setFontSize('32px');
    await expectNoSidewaysScrolling(page);
    await setFontSize('');
  });
}

const DESCRIPTION =
  'accessible in either theme, in forced colours and on phones, and need no horizontal scrolling at 320 pixels, nor at 390 with text twice as large';

// Covers 2.37
test(`the screens for guests are ${DESCRIPTION}`, async ({ page, api }) => {
  await page.goto('/login');
  for (const screen of GUEST_SCREENS) await expectAccessibleAtAnySize(page, api, screen);
});

// Covers 2.37
test(`the screens of students are ${DESCRIPTION}`, async ({ staffPage: page, api }) => {
  await page.goto('/students');
  for (const screen of STUDENT_SCREENS) await expectAccessibleAtAnySize(page, api, screen);
});

// Covers 2.37
test(`all other screens for staff are ${DESCRIPTION}`, async ({ staffPage: page, api }) => {
  await page.goto('/');
  for (const screen of OTHER_SCREENS) await expectAccessibleAtAnySize(page, api, screen);
});

test(`the screens of mark sheets are ${DESCRIPTION}`, async ({ staffPage: page, api, server, admin }) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  await page.goto('/');
  for (const screen of sheetScreens(sheet)) await expectAccessibleAtAnySize(page, api, screen);
});

test(`the screens of schemes are ${DESCRIPTION}`, async ({ page, server, admin }) => {
  const screens = await addSchemeScreens(new Api(server.url, admin.token));
  await signIn(page, admin);
  await page.goto('/');
  for (const screen of screens)
    await expectAccessibleAtAnySize(page, new Api(server.url, admin.token), screen);
});

test(`the screens of a teacher are ${DESCRIPTION}`, async ({ page, server, admin }) => {
  const adminApi = new Api(server.url, admin.token);
  const teacher = await registerUser(server.url, `Tahir ${'a-word-without-an-end'.repeat(3)}`);
  const sheet = await createSheet(adminApi, { students: 2 });
  const user = { ...teacher.user, role: 'teacher' as const };
  await adminApi.put(`/api/users/${user.id}`, { ...user, password: admin.password });
  await adminApi.put(`/api/sheets/${sheet.sheet_id}/teachers`, { ids: [user.id] });
  await signIn(page, { ...teacher, user });
  await page.goto('/');
  for (const screen of teacherScreens(sheet)) await expectAccessibleAtAnySize(page, adminApi, screen);
});
