/** The course grid with 500 courses: its number of requests, and the time until the first cards are painted. */
import { chromium } from '@playwright/test';
import { readMarks } from '../../src/server/courses/read-marks.ts';
import { storeMarks } from '../../src/server/courses/store-marks.ts';
import { createCourse } from '../../src/server/courses/write-course.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { transact } from '../../src/server/history/transaction.ts';
import { buildMarks } from '../../src/server/seed/builders.ts';
import { seededRandom } from '../../src/server/seed/random.ts';
import { registerUser } from '../../tests/support/api.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { signedInPage } from '../support/signed-in.ts';

const { CHROMIUM_PATH } = process.env;
const COURSES = 500;
const VISITS = 5;
const LIMITS = { calls: 1, paint: 1_000 };
const BENCH = { id: null, name: 'Bench' };

/** Run in the page: the time of the largest thing painted so far. */
const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint',
    buffered: true,
  });
})`;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;

const server = await Server.start({ LOG_LEVEL: 'warn' });
const browser = await chromium.launch({
  ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
});
try {
  await server.stop();
  const db = await openEmbedded(server.dataDir);
  const random = seededRandom(1);
  for (let id = 1; id <= COURSES; id += 1) {
    const course = {
      course_id: id,
      course_code: `C-${id}`,
      course_name: `Course number ${id}`,
      course_description: null,
      credits: null,
    };
    const marks = readMarks({ content: buildMarks(random, 120, 60).join() });
    await transact(db.write, async (tx) => {
      await createCourse(tx, BENCH, course);
      if (marks.kind === 'marks') await storeMarks(tx, BENCH, id, { ...marks, append: false });
    });
  }
  await db.close();
  await server.restart();
  const account = await registerUser(server.url);

  const times: number[] = [];
  let calls = 0;
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await signedInPage(browser, server.url, account);
    calls = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api')) calls += 1;
    });
    await page.goto(`${server.url}/courses`);
    await page.getByRole('link', { name: 'Course number 1', exact: true }).waitFor();
    // The largest thing painted so far is a card; its time counts from the start of the navigation.
    times.push(await page.evaluate<number>(LARGEST_PAINT));
    await page.close();
  }
  console.log(`Grid of ${COURSES} courses: ${calls} call for its data (${verdict(calls, LIMITS.calls)})`);
  const paint = median(times);
  console.log(
    `First cards painted, from a cold page, median of ${VISITS}: ${paint.toFixed(0)} ms (${verdict(paint, LIMITS.paint)}), ratio ${(paint / LIMITS.paint).toFixed(2)}`,
  );
} finally {
  await browser.close();
  await server.dispose();
}
