/**
 * Marks entered by keyboard alone: a class of 60 with five components by two people at once, from paper; and typing and
 * scrolling in a sheet of 400 students with twelve components.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { chromium, type Page } from '@playwright/test';
import type { Sheet } from '../../src/contract/marksheets/sheets.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import {
  createSheet,
  FIVE_COMPONENTS,
  markCell,
  sheetPage,
  storedCells,
} from '../../tests/support/browser/marks-grid.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { Keyboard, SECONDS_PER_KEY, toMinutes } from '../support/keyboard.ts';
import { signedInPage } from '../support/signed-in.ts';

const { CHROMIUM_PATH } = process.env;
const LONGEST_TASK_MS = 50;
const BIG = { students: 400, components: 12 } as const;

/** Script run in the page; collects the durations of tasks over 50 ms in `window.longTasks`. */
const WATCH = `(() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
})()`;

/** Script run in the page; pastes a text into what has the focus. */
const paste = (text: string) => `{
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', ${JSON.stringify(text)});
  document.activeElement.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
}`;

/** The paper of a component: a mark of each student; every fifteenth was absent. */
const makePaper = (max: number, students: number, seed: number): string[] =>
  Array.from({ length: students }, (_, i) =>
    (i + seed) % 15 === 14
      ? 'a'
      : String(Math.round((((i * 37 + seed * 11) % 61) / 100 + 0.35) * max * 2) / 2),
  );

/** Types components one after the other, each from top to bottom. */
async function enter(page: Page, keys: Keyboard, papers: readonly string[][], from: number, to: number) {
  await keys.see(markCell(page, 0, 0));
  await keys.reach(markCell(page, 0, 0));
  for (let moved = 0; moved < from; moved += 1) await keys.press('ArrowRight');
  for (let column = from; column < to; column += 1) {
    for (const mark of papers[column] ?? []) {
      await keys.type(mark);
      await keys.press('Enter');
    }
    if (column + 1 < to) await keys.press('Control+ArrowUp', 'ArrowRight');
  }
}

async function untilStored(api: Api, sheet: Sheet, expected: readonly string[]): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const stored = await storedCells(api, sheet);
    if (JSON.stringify(stored) === JSON.stringify(expected)) return;
    if (tries === 300) deepStrictEqual(stored, expected);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const server = await Server.start({ LOG_LEVEL: 'warn' });
const browser = await chromium.launch({
  ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
});
try {
  const admin = await registerUser(server.url);
  const other = await registerUser(server.url, 'Nadia Farooq');
  const api = new Api(server.url, admin.token);

  const sheet = await createSheet(api, { students: 60, categories: FIVE_COMPONENTS });
  const papers = sheet.categories.map(({ components }, i) => makePaper(components[0]?.max ?? 0, 60, i));
  const expected = sheet.rows.map((_, i) => papers.map((paper) => (paper[i] ?? '').toUpperCase()).join(' '));
  const people = await Promise.all(
    [admin, other].map(async (account) => {
      const page = await signedInPage(browser, server.url, account);
      await page.goto(server.url + sheetPage(sheet));
      await page.getByText('Also here').waitFor();
      return { page, keys: new Keyboard(page) };
    }),
  );
  const began = performance.now();
  await Promise.all(
    people.map(({ page, keys }, i) => enter(page, keys, papers, i === 0 ? 0 : 3, i === 0 ? 3 : 5)),
  );
  const typed = performance.now();
  await untilStored(api, sheet, expected);
  const stored = performance.now();
  await Promise.all(
    people.map(({ page }) => page.getByRole('row', { name: 'Missing 0 0 0 0 0 0' }).waitFor()),
  );
  const seen = performance.now();
  for (const [i, { keys }] of people.entries()) {
    const effort = keys.takeEffort();
    console.log(
      `Person ${i + 1}: ${effort.keys} keys, ${effort.waited.toFixed(1)} s waiting, ${toMinutes(effort).toFixed(1)} minutes at ${SECONDS_PER_KEY} s per key`,
    );
  }
  console.log(
    `Class of 60 with five components by two people: typed in ${((typed - began) / 1000).toFixed(1)} s by the machine, all stored ${((stored - typed) / 1000).toFixed(2)} s after the last key, seen by both ${((seen - typed) / 1000).toFixed(2)} s after it. Stored as on the papers.`,
  );
  for (const { page } of people) await page.close();

  const big = await createSheet(api, {
    students: BIG.students,
    categories: Array.from({ length: BIG.components }, (_, i) => ({
      ...{ name: `Part ${i + 1}`, weight: i < 4 ? 9 : 8, best_of: null },
      components: [{ name: `Part ${i + 1}`, max: 20 }],
    })),
  });
  const page = await signedInPage(browser, server.url, admin);
  await page.addInitScript(WATCH);
  await page.goto(server.url + sheetPage(big));
  await markCell(page, 0, 0).click();
  const takeTasks = () => page.evaluate<number[]>('window.longTasks.splice(0)');
  // Times of the thread itself, which other processes do not lengthen.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const report = async (act: string, steps: number, work: () => Promise<void>) => {
    await takeTasks();
    const before = await cpuMs();
    await work();
    const used = ((await cpuMs()) - before) / steps;
    const tasks = await takeTasks();
    const longest = Math.max(0, ...tasks);
    console.log(
      `${BIG.students} × ${BIG.components}, ${act}: ${used.toFixed(1)} ms of CPU time each, ${tasks.length} tasks over 50 ms, longest ${longest.toFixed(0)} ms, limit ${LONGEST_TASK_MS}, ratio ${(longest / LONGEST_TASK_MS).toFixed(2)} (${longest <= LONGEST_TASK_MS ? 'ok' : 'OVER'})`,
    );
  };
  await report('100 marks typed', 100, async () => {
    for (let i = 0; i < 100; i += 1) {
      await page.keyboard.type(String(i % 20));
      await page.keyboard.press(i % 10 === 9 ? 'Enter' : 'Tab');
    }
  });
  const all = BIG.students * BIG.components;
  const columns = Array.from({ length: BIG.components }, (_, i) => makePaper(20, BIG.students, i));
  const lines = big.rows.map((_, i) => columns.map((paper) => (paper[i] ?? '').toUpperCase()));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  const empty = lines.map((line) => line.map(() => '-').join(' '));
  await untilStored(api, big, empty);
  await markCell(page, 0, 0).click();
  await report(`${all} marks pasted`, 1, async () => {
    await page.evaluate(paste(lines.map((line) => line.join('\t')).join('\n')));
    await untilStored(
      api,
      big,
      lines.map((line) => line.join(' ')),
    );
  });
  await report('scrolled from end to end by keys', 60, async () => {
    for (let i = 0; i < 30; i += 1) await page.keyboard.press('PageDown');
    for (let i = 0; i < 30; i += 1) await page.keyboard.press('PageUp');
  });
  await report('scrolled by the wheel', 60, async () => {
    for (let i = 0; i < 60; i += 1) await page.mouse.wheel(0, i < 30 ? 400 : -400);
  });
  const rows = await page.getByRole('row').count();
  console.log(`Rows in the document: ${rows}`);
} finally {
  await browser.close();
  await server.dispose();
}
