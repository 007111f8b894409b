import { expect, type Page, test } from '../support/browser/fixtures.ts';

const chart = (page: Page) => page.getByRole('img', { name: /^Sample GPA over eight semesters: / });
const readChartLabel = (page: Page) => chart(page).getAttribute('aria-label');
const pauseButton = (page: Page) => page.getByRole('button', { name: 'Pause the sample charts' }).first();

// Covers 2.48, 2.50, 2.52
test('two cards link to the courses and the students', async ({ staffPage: page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Manage Courses' })).toHaveAttribute('href', '/courses');
  await page.getByRole('link', { name: 'Manage Students' }).click();
  await expect(page).toHaveURL('/students');
});

/** Advances the clock by `seconds`. Returns the data sets at which the chart stopped, in order. */
async function collectDataSets(page: Page, seconds: number): Promise<(string | null)[]> {
  const sets: (string | null)[] = [];
  let [last, since] = [await readChartLabel(page), 0];
  for (let tenths = 0; tenths < seconds * 10; tenths += 1) {
    await page.clock.runFor(100);
    const now = await readChartLabel(page);
    since = now === last ? since + 1 : 0;
    last = now;
    // While it moves to the next data set, the chart changes every tenth of a second.
    if (since === 5 && now !== sets.at(-1)) sets.push(now);
  }
  return sets;
}

/** Reloads the page with a clock that only the test advances. */
async function reloadWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
  await expect(chart(page)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
}

// Covers 2.55, 9.12
test('the sample charts show six data sets in turn, two seconds each, until they are paused', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  await reloadWithStoppedClock(page);
  const round = await collectDataSets(page, 12);
  expect(round).toHaveLength(6);
  expect(new Set(round).size).toBe(6);
  expect(await collectDataSets(page, 12)).toEqual(round);

  await pauseButton(page).click();
  await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await collectDataSets(page, 12)).toHaveLength(1);

  await pauseButton(page).click();
  expect(new Set(await collectDataSets(page, 12)).size).toBe(6);
});

// Covers 2.57
test('the charts do not move when reduced motion is set, until the user starts them', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await reloadWithStoppedClock(page);
  await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await collectDataSets(page, 6)).toHaveLength(1);

  await pauseButton(page).click();
  await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'false');
  expect((await collectDataSets(page, 6)).length).toBeGreaterThanOrEqual(3);
});
