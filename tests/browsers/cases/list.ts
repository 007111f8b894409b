import type { StudentBase } from '../../../src/contract/students/students.ts';
import { aStudent, unique } from '../../support/records.ts';
import { type Case, input, untilSaved } from '../case.ts';
import { makeRecord } from '../faculty.ts';
import { button, css, link, part } from '../page/tab.ts';

/** By mouse: filters, a saved view, a click anywhere in a row, boxes, a change of several students and its undoing. */
export const list: Case = {
  name: 'list',
  run: async ({ tab, staff, must }) => {
    const last_name = `Khan${unique()}`;
    const made = [3, 4, 8].map((current_sem) =>
      aStudent({ last_name, current_sem, syn: current_sem === 8 ? 'A' : 'B' }),
    );
    for (const student of made) await staff.createRecord([], student);
    await tab.follow(`/students?q=${last_name}`);
    await tab.shows('3 students');
    await tab.click(part(button('Filters')));
    await tab.choose({ role: 'field', name: 'Syndicate' }, 'B');
    await tab.shows('2 students');
    await tab.click(part(button('Filters')));
    const name = `Of ${last_name}`;
    await tab.click(button('Save this view'));
    await tab.has(input('name'));
    // Its proposed name is selected.
    await tab.type(name);
    await tab.press('Enter');
    await tab.hasNot(css('dialog:modal'));
    await tab.wait('the view has the focus', async () => (await tab.focused()) === name);
    await tab.click(link('All students'));
    await tab.lacks('2 students');
    await tab.click(link(name));
    await tab.shows('2 students');
    await tab.click(button('Remove view'));
    await tab.hasNot(link(name));
    const second = made[1]?.id ?? '';
    const age = css(`tr:has(a[href="/students/${second}"]) td:nth-last-child(2)`);
    await tab.click(age);
    await tab.untilPath(new RegExp(`/students/${second}$`));
    await tab.ready();
    await tab.driver.back();
    await tab.untilPath(/^\/students\?/);
    await tab.ready();
    // Beside the boxes, not on them.
    for (const student of made.slice(0, 2)) {
      const { x, y } = await tab.locate(css(`tr:has(a[href="/students/${student.id}"]) td.tick-room`));
      await tab.mouse([
        {
          type: 'pointerMove',
          x: Math.round(x - 12),
          y: Math.round(y - 12),
          origin: 'viewport',
          duration: 0,
        },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]);
    }
    await tab.shows('2 selected');
    await tab.click(button('Change'));
    await tab.choose({ role: 'field', name: 'What to change' }, 'Move to the next semester');
    await tab.shows('2 students will move to the next semester.');
    await tab.click(button('Move 2 students'));
    await tab.shows('2 students have been moved to the next semester.');
    await tab.click(part(button('Undo')));
    await tab.wait('the change is undone', async () => {
      const { student } = await staff.get<StudentBase>(`/api/students/${second}/base`);
      return student.current_sem === 4;
    });
    must((await tab.path()).startsWith('/students'), 'the list was left');
  },
};

/** By keys: from the search to the rows, with arrows over all pages of the list, to both ends, into a record and back. */
export const rows: Case = {
  name: 'rows',
  run: async ({ tab, must }) => {
    // Cases make students of another department.
    await tab.follow('/students?department=EE');
    const focusedRow = () =>
      tab.run(() => Number(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex') ?? 0));
    const untilRow = (row: number) =>
      tab.wait(`row ${row} has the focus`, async () => (await focusedRow()) === row);
    await tab.click(css('input[type="search"]'));
    // Its clear button, filters, sorting: each further down.
    for (let steps = 0; (await focusedRow()) < 2; steps += 1) {
      await tab.run(() => document.activeElement?.setAttribute('data-left', ''));
      await tab.press('Tab');
      const isFurther = await tab.run(() => {
        const left = document.querySelector('[data-left]');
        left?.removeAttribute('data-left');
        const { activeElement: next, body } = document;
        const { DOCUMENT_POSITION_FOLLOWING } = Node;
        if (left === null || next === null || next === body) return false;
        return (left.compareDocumentPosition(next) & DOCUMENT_POSITION_FOLLOWING) !== 0;
      });
      if (!isFurther || steps > 30) throw new Error(`Tab leads to “${await tab.focused()}”, not to the rows`);
    }
    await untilRow(2);
    const last = await tab.run(() => Number(document.querySelector('table')?.getAttribute('aria-rowcount')));
    must(last > 51, `the list has only one page: ${last} rows`);
    await tab.press(...Array.from({ length: 3 }, () => 'ArrowDown'), 'ArrowUp');
    await untilRow(4);
    await tab.hold('ArrowDown', last - 4);
    await untilRow(last);
    await tab.press('Home');
    await untilRow(2);
    await tab.press('End');
    await untilRow(last);
    await tab.run(() => window.scrollTo({ top: 3_000, behavior: 'instant' }));
    await tab.until('the rows in the middle are shown', () => {
      const met = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      return met?.closest('tr')?.querySelector('a') !== null;
    });
    await tab.press('End', 'PageUp', 'ArrowUp');
    const name = await tab.wait('a student has the focus', async () => {
      const row = await focusedRow();
      return row > 1 && row < last ? tab.focused() : '';
    });
    await tab.press('Enter');
    await tab.untilPath(/^\/students\/[^?]+$/);
    await tab.ready();
    await tab.shows(name);
    await tab.driver.back();
    await tab.untilPath(/^\/students\?/);
    await tab.wait('the row has the focus again', async () => (await tab.focused()) === name);
  },
};

/** The students of a view are exported under the name of the day, and Ctrl+P prints them all. */
export const exporting: Case = {
  name: 'export',
  run: async (context) => {
    const { tab, must } = context;
    const { id } = await makeRecord(context);
    await tab.follow(`/students?q=${id}`);
    await tab.click(button('Other formats'));
    await tab.click(part(button('Plain text')));
    const file = await untilSaved(context, /^students-\d{4}-\d\d-\d\d\.csv$/);
    must(file.includes(id), 'the file does not have the student');
    await tab.click(button('Export'));
    const workbook = await untilSaved(context, /^students-\d{4}-\d\d-\d\d\.xlsx$/);
    must(workbook.startsWith('PK'), 'the file is no workbook');
    await tab.follow('/students');
    await tab.press('Control+p');
    await tab.untilPath(/^\/students\/print/);
    await tab.until('the list is printed', () => window.probe.printed > 0);
    must((await tab.run(() => window.probe.printed)) === 1, 'the list is printed more than once');
    const printed = await tab.run(() => document.querySelectorAll('tbody tr').length);
    must(printed >= 400, `only ${printed} students are printed`);
  },
};
