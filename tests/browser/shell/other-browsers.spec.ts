import { Api, registerUser } from '../../support/api.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { createSheet, markCell, openGrid } from '../../support/browser/marks-grid.ts';
import { follow } from '../../support/browser/screens.ts';

/* What other browsers lack or do otherwise, simulated in this one. */

const TOO_OLD = 'SIMS could not start in this browser. It needs Chrome 131';

test('a browser that does not understand the application says which ones do', async ({
  page,
  expectedProblems,
}) => {
  expectedProblems.add('page error');
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByText(TOO_OLD)).toBeHidden();
  await page.route('**/assets/index-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'let = (;' }),
  );
  await page.reload();
  await expect(page.getByText(TOO_OLD)).toBeVisible();
});

test('a browser without JavaScript says what is needed', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/login');
  const sentence = page.locator('noscript p');
  await expect(sentence).toBeVisible();
  await expect(sentence).toContainText('SIMS needs JavaScript, and Chrome 131');
  await context.close();
});

/** Takes the rules of style sheets that ask for this away, as in a browser that does not know it. */
const withoutSupport = (page: Page, condition: string) =>
  page.evaluate((condition) => {
    const remove = (rules: CSSRuleList, removeAt: (index: number) => void) => {
      for (let i = rules.length - 1; i >= 0; i -= 1) {
        const rule = rules[i];
        if (rule instanceof CSSSupportsRule && rule.conditionText.includes(condition)) removeAt(i);
        else if (rule instanceof CSSGroupingRule) remove(rule.cssRules, (index) => rule.deleteRule(index));
      }
    };
    for (const sheet of document.styleSheets) remove(sheet.cssRules, (index) => sheet.deleteRule(index));
  }, condition);

test('without anchors, the menus of the list open in the middle', async ({ staffPage: page, api }) => {
  await api.createStudent();
  await page.goto('/students');
  await expect(page.getByRole('button', { name: 'Print' })).toBeEnabled();
  await withoutSupport(page, 'position-area');
  for (const [name, text] of [
    ['Other formats', 'Columns and results…'],
    ['Print', 'Attendance list'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    const menu = page.locator('[popover]').filter({ hasText: text });
    await expect(menu).toBeVisible();
    const box = await menu.boundingBox();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    expect(box && Math.abs(box.x + box.width / 2 - width / 2)).toBeLessThan(20);
    expect(box && Math.abs(box.y + box.height / 2 - height / 2)).toBeLessThan(20);
    await page.keyboard.press('Escape');
  }
});

test('without AbortSignal.any, the marks of another person appear all the same', async ({
  staffPage: page,
  server,
  admin,
  context,
}) => {
  await page.addInitScript(() => Object.defineProperty(AbortSignal, 'any', { value: undefined }));
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  const theirs = await context.newPage();
  await signIn(theirs, await registerUser(server.url, 'Bushra Mirani'));
  await openGrid(page, sheet);
  await openGrid(theirs, sheet);
  await expect(page.getByText('Also here: Bushra Mirani')).toBeVisible();
  await markCell(theirs, 0, 0).click();
  await theirs.keyboard.type('31');
  await theirs.keyboard.press('Enter');
  await expect(markCell(page, 0, 0)).toHaveText('31');
});

test('the clipboard reaches the grid although its events go to the page', async ({
  staffPage: page,
  server,
  admin,
}) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  await openGrid(page, sheet);
  await markCell(page, 0, 0).click();
  const send = (kind: string, text: string) =>
    page.evaluate(
      ([kind, text]) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        document.body.dispatchEvent(
          new ClipboardEvent(kind, { clipboardData, bubbles: true, cancelable: true }),
        );
        return clipboardData.getData('text/plain');
      },
      [kind, text] as const,
    );
  await send('paste', '12');
  await expect(markCell(page, 0, 0)).toHaveText('12');
  expect(await send('copy', '')).toBe('12');
  // The field has the focus, so its own clipboard is left to the browser.
  await page.getByRole('searchbox', { name: 'Find a student' }).focus();
  await send('cut', '');
  await expect(markCell(page, 0, 0)).toHaveText('12');
});

test('without ::details-content, what is folded is opened while the page is printed', async ({
  staffPage: page,
  api,
}) => {
  await page.addInitScript(() => {
    CSS.supports = () => false;
  });
  const { id } = await api.createStudent();
  await page.goto(`/students/${id}/history`);
  const folded = page.locator('details:not([open])');
  await expect(folded).toHaveCount(1);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(folded).toHaveCount(0);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(folded).toHaveCount(1);
});

test('where a click does not focus, a dialog gives the focus back to what was pressed', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]]);
  await page.goto(`/students/${id}`);
  await page.evaluate(() =>
    document.addEventListener('mousedown', (event) => {
      const { target } = event;
      if (!(target instanceof Element) || target.closest('button, a, [type="checkbox"]') === null) return;
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    }),
  );
  const dialog = page.locator('dialog[open]');
  const expectFocusBack = async (name: string | RegExp, item?: string) => {
    const opener = page.getByRole('button', { name });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.goBack(),
    ]) {
      await opener.click();
      if (item !== undefined) await page.getByRole('menuitem', { name: item }).click();
      await expect(dialog).toBeVisible();
      await close();
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    }
  };
  await expectFocusBack('More', 'Change status');
  await expectFocusBack('Issue documents');
  await expectFocusBack(/^Semester 1 /);
  await follow(page, `/students?q=${id}`);
  await page.locator('td.tick-room').first().click();
  await expectFocusBack('Change');
});
