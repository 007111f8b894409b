import { makeSheet, putMarks } from '../../support/browser/mark-sheets.ts';
import { type Case, untilSaved } from '../case.ts';
import { makeGrid, storedRows } from '../faculty.ts';
import { button, css, field, link, part } from '../page/tab.ts';

const cell = (row: number, column: number) => css(`td[data-row="${row}"][data-column="${column}"]`);

/** Typing, ranges and the clipboard, by the keys of a person; the marks as a file. */
export const grid: Case = {
  name: 'grid',
  run: async (context) => {
    const { tab, staff, must } = context;
    const sheet = await makeGrid(context, 4);
    const expectStored = (...rows: string[]) =>
      tab.wait(`the stored marks are ${rows.join(', ')}`, async () => {
        const stored = await storedRows(staff, sheet);
        return stored.join() === rows.join();
      });
    await tab.follow(`/marksheets/${sheet.sheet_id}`);
    await tab.click(cell(0, 0));
    await tab.type('30');
    await tab.press('Tab');
    await tab.type('40');
    await tab.press('Enter');
    await expectStored('30 40', '- -', '- -', '- -');
    await tab.press('Control+z');
    await expectStored('30 -', '- -', '- -', '- -');
    await tab.press('Control+Shift+z');
    await expectStored('30 40', '- -', '- -', '- -');
    // In a grid that has just been opened nothing is selected but its cell.
    await tab.reload();
    await tab.click(cell(0, 0));
    await tab.press('Shift+ArrowRight', 'Control+c');
    await tab.click(cell(2, 0));
    await tab.press('Control+v');
    await expectStored('30 40', '- -', '30 40', '- -');
    await tab.click(cell(2, 1));
    await tab.press('Control+x');
    await expectStored('30 40', '- -', '30 -', '- -');
    await tab.click(cell(3, 1));
    await tab.press('Control+v');
    await expectStored('30 40', '- -', '30 -', '- 40');
    await tab.press('Delete');
    await expectStored('30 40', '- -', '30 -', '- -');
    await tab.click(cell(1, 1));
    await tab.type('over');
    await tab.press('Enter', 'ArrowUp');
    await tab.shows('“over” is no mark.');
    await tab.press('Delete');
    await tab.lacks('is no mark');
    await tab.click(button('Save CSV'));
    const file = await untilSaved(context, new RegExp(`^marks-${sheet.sheet_id}\\.csv$`));
    must(/,30,40,/.test(file), `the file of marks has ${file}`);
  },
};

/** Marks of a second person appear, and none is overwritten unseen. A stopped server loses nothing. */
export const live: Case = {
  name: 'live',
  run: async ({ tab, staff, admin, site }) => {
    const { sheet, ids } = await makeSheet({ api: staff, admin }, [10, null, null]);
    const [first = '', second = ''] = ids;
    const text = (row: number) =>
      tab.run((row) => document.querySelector(`td[data-row="${row}"]`)?.textContent?.trim() ?? '', row);
    await tab.follow(`/marksheets/${sheet.sheet_id}`);
    await tab.click(cell(2, 0));
    const stream = await staff.send('GET', `/api/sheets/${sheet.sheet_id}/events`);
    await tab.shows('Also here: Sana Malik');
    await putMarks(staff, sheet, [[second, 55, null]]);
    await tab.wait('the mark of the other is shown', async () => (await text(1)) === '55');
    await stream.body?.cancel();
    await tab.lacks('Also here');
    await site.stop();
    try {
      await tab.click(cell(0, 0));
      await tab.type('20');
      await tab.press('Enter');
      await tab.shows('Not saved. Trying again');
    } finally {
      await site.restart();
    }
    await tab.wait('the mark is stored', async () => {
      const [stored] = await storedRows(staff, sheet);
      return stored === '20';
    });
    await putMarks(staff, sheet, [[first, 25, 20]]);
    await tab.wait('the mark of the other is shown', async () => (await text(0)) === '25');
    site.problems.splice(0);
  },
};

const MARKS = [
  95, 91, 88, 84, 82, 79, 76, 74, 73, 70, 68, 66, 64, 61, 60, 58, 55, 53, 50, 47, 44, 40, 38, 36, 35,
];

/** Boundaries follow from a method, and are moved by dragging and by keys. */
export const grading: Case = {
  name: 'grading',
  run: async ({ tab, staff, admin, must }) => {
    const { sheet } = await makeSheet({ api: staff, admin }, MARKS);
    const handle = css('[role="slider"][aria-label="Lowest total for A"]');
    const read = () =>
      tab.run(() =>
        Number(
          document
            .querySelector('[role="slider"][aria-label="Lowest total for A"]')
            ?.getAttribute('aria-valuenow'),
        ),
      );
    await tab.follow(`/marksheets/${sheet.sheet_id}/grades`);
    const fixed = await read();
    await tab.click(button('Mean ± SD'));
    await tab.wait('the method proposes', async () => (await read()) !== fixed);
    const proposed = await read();
    const from = await tab.locate(handle);
    await tab.drag(from, { x: from.x + 30, y: from.y });
    await tab.wait('the boundary is moved', async () => (await read()) > proposed);
    const dragged = await read();
    await tab.press('Shift+ArrowUp');
    await tab.wait('a key moves it by a mark', async () => Math.abs((await read()) - dragged - 1) < 0.02);
    await tab.press('Control+z');
    await tab.wait('Ctrl+Z moves it back', async () => (await read()) === dragged);
    await tab.click(button('Undo'));
    await tab.wait('Undo moves it back', async () => (await read()) === proposed);
    await tab.fill(field('Lowest total for A'), '88');
    await tab.press('Enter');
    await tab.wait('the typed boundary holds', async () => (await read()) === 88);
    must((await tab.path()).endsWith('/grades'), 'the page was left');
  },
};

/** A sheet is submitted by one and confirmed by another. */
export const confirmation: Case = {
  name: 'confirmation',
  run: async ({ tab, staff, admin }) => {
    const { sheet } = await makeSheet({ api: staff, admin }, [90, 72, 65]);
    const path = `/api/sheets/${sheet.sheet_id}`;
    const { warnings } = await staff.get<{ warnings: { rule: string }[] }>(`${path}/checks`);
    await staff.post(`${path}/submit`, {
      reasons: Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board'])),
    });
    await tab.follow(`/marksheets/${sheet.sheet_id}/results`);
    await tab.click(button('Confirm 3 results'));
    await tab.click(button('Yes'));
    await tab.shows('Confirmed by Asad Admin');
    await tab.click(part(link('Ali 1')));
    await tab.untilPath(/^\/students\//);
    await tab.ready();
    await tab.shows('GPA Standing');
  },
};
