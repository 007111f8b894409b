/** The Students screen in a browser on a thousand and on a million students: opening, typing, scrolling. */
import { chromium, type Page } from '@playwright/test';
import { registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { openFaculty } from '../support/faculty.ts';
import { signedInPage } from '../support/signed-in.ts';

const { CHROMIUM_PATH } = process.env;
const SIZES = (process.env.SIMS_BENCH_SIZES || '1000,1000000').split(',').map(Number);
const OPENINGS = 5;
const TYPED = 'muhammad khan';
/** Wheel events, about one per frame; together they scroll ten thousand rows. */
const WHEEL = { turns: 400, pixels: 1_500 };
const LIMITS = { open: 1_000, settled: 300, longest: 50, rows: 150 };

/** Measurements taken in the page. */
interface Watched {
  /** Duration of each long task (over 50 ms) in milliseconds. */
  tasks: number[];
  /** Milliseconds between frames. */
  frames: number[];
  rows: number;
}

/** Script run in the page; collects the measurements in `window.watched`. */
const WATCH = `(() => {
  const seen = { tasks: [], frames: [], rows: 0 };
  window.watched = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.tasks.push(entry.duration);
  }).observe({ type: 'longtask' });
  let last = performance.now();
  const frame = (now) => {
    seen.frames.push(now - last);
    last = now;
    seen.rows = Math.max(seen.rows, document.querySelectorAll('tbody tr').length);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

const ms = (n: number) => `${n.toFixed(0)} ms`;
const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;

const rows = (page: Page) => page.getByRole('table', { name: 'Students' }).locator('tbody').getByRole('link');
const settled = (page: Page) =>
  page.locator('table[aria-label="Students"]:not([aria-busy="true"]) tbody a').first().waitFor();

async function measure(students: number): Promise<void> {
  const { dataDir } = await openFaculty(students);
  const server = await Server.start({ SIMS_DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const browser = await chromium.launch({
    ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    const account = await registerUser(server.url);
    console.log(`\n${students.toLocaleString('en')} students`);
    await opening(() => signedInPage(browser, server.url, account), server.url);
    const page = await signedInPage(browser, server.url, account);
    await typing(page, server.url);
    await scrolling(page, server.url);
  } finally {
    await browser.close();
    await server.dispose();
  }
}

async function opening(open: () => Promise<Page>, url: string): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < OPENINGS; i += 1) {
    const page = await open();
    await page.goto(`${url}/students`, { waitUntil: 'commit' });
    await rows(page).first().waitFor();
    times.push(await page.evaluate(() => performance.now()));
    await page.close();
  }
  const time = quantile(times, 0.5);
  console.log(`Opened to the first rows, median of ${OPENINGS}: ${ms(time)} (${verdict(time, LIMITS.open)})`);
}

/** Types each letter as soon as the previous one is drawn, faster than people type: none may be lost or delayed. */
async function typing(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/students`);
  await settled(page);
  await page.evaluate(WATCH);
  const field = page.getByRole('searchbox', { name: 'Search students' });
  const times: number[] = [];
  for (let length = 1; length <= TYPED.length; length += 1) {
    const answered = page.waitForResponse((response) => response.url().includes('/api/students?'));
    const before = performance.now();
    await field.press(TYPED[length - 1] === ' ' ? 'Space' : (TYPED[length - 1] ?? ''));
    if (TYPED[length - 1] === ' ') {
      // The words have not changed, so no request is sent.
      answered.catch(() => undefined);
      continue;
    }
    await answered;
    await settled(page);
    times.push(performance.now() - before);
  }
  const { tasks } = await watched(page);
  const slowest = Math.max(...times);
  console.log(
    `Typed "${TYPED}": from each key to its rows, median ${ms(quantile(times, 0.5))}, slowest ${ms(slowest)} (${verdict(slowest, LIMITS.settled)}), longest task ${ms(Math.max(0, ...tasks))}`,
  );
}

async function scrolling(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/students`);
  await settled(page);
  await page.evaluate(WATCH);
  await page.mouse.move(720, 600);
  for (let turn = 0; turn < WHEEL.turns; turn += 1) {
    await page.mouse.wheel(0, WHEEL.pixels);
  }
  const stopped = performance.now();
  await settled(page);
  const caughtUp = performance.now() - stopped;
  const { tasks, frames, rows: most } = await watched(page);
  const down = await page.evaluate<number>('Math.round(scrollY)');
  const longest = Math.max(0, ...tasks);
  console.log(
    `Scrolled ${down.toLocaleString('en')} px: longest task ${ms(longest)} (${verdict(longest, LIMITS.longest)}), ${tasks.length} over 50 ms, frames p99 ${ms(quantile(frames, 0.99))}, rows there ${ms(caughtUp)} after it stopped`,
  );
  console.log(`Rows in the page at most: ${most} (${verdict(most, LIMITS.rows)})`);
  const before = performance.now();
  await page.keyboard.press('Control+End');
  await settled(page);
  console.log(`From the end of the keyboard to the last row: ${ms(performance.now() - before)}`);
}

const watched = (page: Page) => page.evaluate<Watched>('window.watched');

for (const students of SIZES) await measure(students);
