import { Api } from '../../support/api.ts';
import { marksField } from '../../support/browser/courses.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field, subjectCard } from '../../support/browser/forms.ts';
import { createSheet } from '../../support/browser/marks-grid.ts';
import { follow, OTHER_SCREENS, STUDENT_SCREENS, sheetScreens } from '../../support/browser/screens.ts';

/** Replaces each text that is shown by `<font>` elements with it, as the translators of Chrome and Edge do, now and whenever texts appear. */
const translate = (page: Page) =>
  page.evaluate(() => {
    const SKIPPED = 'font, svg, script, style, textarea, option, title';
    const wrap = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.currentNode; ; ) {
        if (node instanceof Text && node.data.trim() !== '') texts.push(node);
        const next = walker.nextNode();
        if (next === null) break;
        node = next;
      }
      for (const text of texts) {
        if (text.parentElement === null || text.parentElement.closest(SKIPPED) !== null) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    wrap(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) if (node.isConnected) wrap(node);
    }).observe(document.body, { childList: true, subtree: true });
  });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('every screen can be opened and left while a page translator replaces its texts', async ({
  staffPage: page,
  api,
  server,
  admin,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/');
  await translate(page);
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  const screens = [...STUDENT_SCREENS, ...OTHER_SCREENS, ...sheetScreens(sheet)];
  for (const screen of screens) {
    await test.step(screen.name, async () => {
      await screen.open(page, api);
      await expect(page.locator('main font').filter({ visible: true }).first()).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Something went wrong' })).toHaveCount(0);
    });
  }
});

test('texts that change are seen while a page translator replaces them', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
    current_sem: 2,
    last_name: 'Tarar',
  });
  await page.goto('/courses/create');
  await translate(page);
  await test.step('a preview', async () => {
    await marksField(page).fill('50, 60');
    await expect(page.getByText('2 marks found.').first()).toBeVisible();
    await marksField(page).fill('50, 60, 70');
    await expect(page.getByText('3 marks found.').first()).toBeVisible();
    await expect(page.getByText('2 marks found.')).toHaveCount(0);
    await marksField(page).fill('50, 60, xx');
    await expect(page.getByText('Line 1, column 3').first()).toBeVisible();
    await page
      .getByText('No mark is saved until these cells are corrected.')
      .evaluate((text) => text.parentElement?.remove());
    await marksField(page).fill('');
    await expect(page.getByText('marks found.')).toHaveCount(0);
  });

  await test.step('a text that moves to the end', async () => {
    const shown = page.getByTestId('moved');
    await page.evaluate(() => {
      const [box, text] = [document.createElement('div'), document.createTextNode('one ')];
      box.dataset.testid = 'moved';
      box.append(text, document.createElement('hr'));
      document.body.append(box);
      box.addEventListener('click', () => box.appendChild(text));
    });
    await expect(shown.locator('font').first()).toBeVisible();
    await shown.dispatchEvent('click');
    await expect(shown).toHaveText('one', { useInnerText: true });
    await expect(shown.locator(':scope > :last-child')).toHaveText('one');
    await shown.evaluate((box) => box.remove());
  });

  await test.step('the totals, rows and errors of a form', async () => {
    await follow(page, `/students/${id}/academics/create`);
    const foot = page.locator('.form-foot');
    await expect(foot).toContainText('0 credit hours');
    await field(subjectCard(page, 1), 'Title').fill('Physics');
    await field(subjectCard(page, 1), 'Credit Hours').fill('4');
    await expect(foot).toContainText('4 credit hours');
    await field(subjectCard(page, 1), 'Credit Hours').fill('3');
    await expect(foot).toContainText('3 credit hours');
    await field(subjectCard(page, 1), 'Grade').fill('A');
    await expect(foot).toContainText('SGPA 4.00');
    await field(subjectCard(page, 1), 'Grade').fill('B');
    await expect(foot).toContainText('SGPA 3.00');
    await field(subjectCard(page, 1), 'Grade').fill('');
    await expect(foot).not.toContainText('SGPA');
    await field(subjectCard(page, 1), 'Grade').fill('B');
    await expect(foot).toContainText('SGPA 3.00');
    await button(page, 'Save and close').click();
    await expect(page).toHaveURL(`/students/${id}`);
  });

  await test.step('a list and its filters, and the palette', async () => {
    await follow(page, '/students?q=Tarar');
    await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
    await page.getByRole('searchbox').first().fill('nobody at all');
    await expect(page.getByRole('row').filter({ hasText: id })).toHaveCount(0);
    await page.getByRole('searchbox').first().fill('Tarar');
    await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    for (const typed of ['Tarar', 'qqqq', 'courses', '']) {
      await palette.getByRole('combobox').fill(typed);
      await expect(palette.getByText('No results for')).toHaveCount(typed === 'qqqq' ? 1 : 0);
    }
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  });
});
