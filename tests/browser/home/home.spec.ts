import { clockTest, expect, type Page, test } from '../../support/browser/fixtures.ts';

const chart = (page: Page) => page.getByRole('img', { name: /^Sample GPA over eight semesters: / });
const readChartLabel = (page: Page) => chart(page).getAttribute('aria-label');
const pauseButton = (page: Page) => page.getByRole('button', { name: 'Pause the sample charts' }).first();

// Covers 2.48, 2.49, 2.50, 2.51, 2.52, 2.53, 2.54, 2.56, 3.35
test('two cards with charts of sample data appear one after the other and link to the courses and the students', async ({
  staffPage: page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  for (const [i, name, path] of [
    [0, 'Manage Courses', '/courses'],
    [1, 'Manage Students', '/students'],
  ] as const) {
    const card = cards.nth(i);
    await expect(card.getByRole('heading', { name, exact: true })).toBeVisible();
    await expect(card.getByRole('link', { name })).toHaveAttribute('href', path);
    await expect(card).toHaveCSS('animation-delay', `${0.2 * i}s`);
    await expect(card).toHaveCSS('animation-duration', '0.8s');
    await expect(card.getByText('Sample data')).toBeVisible();
  }

  const bars = cards.first();
  await expect(bars.locator('.plot-x > span')).toHaveText([
    '0-10',
    '10-20',
    '20-30',
    '30-40',
    '40-50',
    '50-60',
    '60-70',
    '70-80',
    '80-90',
    '90+',
  ]);
  await expect(bars.locator('rect.plot-bar')).toHaveCount(10);
  for (const bar of await bars.locator('rect.plot-bar').all()) {
    expect((await bar.boundingBox())?.width ?? 0).toBeLessThanOrEqual(15);
  }
  const line = cards.nth(1);
  await expect(line.locator('.plot-x > span')).toHaveText(['1', '2', '3', '4', '5', '6', '7', '8']);
  await expect(line.locator('polyline.plot-line')).toHaveCount(1);
  await page.getByRole('link', { name: 'Manage Students' }).click();
  await expect(page).toHaveURL('/students');
});

/** Advances the clock by `seconds`. Returns the data sets at which the chart stopped, in order. */
async function collectDataSets(page: Page, seconds: number): Promise<(string | null)[]> {
  const sets: (string | null)[] = [];
  let [last, since] = [await readChartLabel(page), 0];
  for (let thirds = 0; thirds < seconds * 3; thirds += 1) {
    await page.clock.runFor(333);
    const now = await readChartLabel(page);
    since = now === last ? since + 1 : 0;
    last = now;
    // While it moves to the next data set, the chart changes all the time.
    if (since === 2 && now !== sets.at(-1)) sets.push(now);
  }
  return sets;
}

/** Opens Home and stops the clock `minutes` from now. */
async function openWithStoppedClock(page: Page, minutes: number): Promise<void> {
  await page.goto('/');
  await expect(chart(page)).toBeVisible();
  await page.clock.pauseAt(Date.now() + minutes * 60_000);
}

// Covers 2.55, 2.57, 9.12
clockTest(
  'the sample charts show six data sets in turn, two seconds each, until they are paused; with reduced motion they wait to be started',
  async ({ staffPage: page }) => {
    await page.clock.install();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await openWithStoppedClock(page, 1);
    const round = await collectDataSets(page, 12);
    expect(round).toHaveLength(6);
    expect(new Set(round).size).toBe(6);
    expect(await collectDataSets(page, 4)).toEqual(round.slice(0, 2));

    await pauseButton(page).click();
    await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'true');
    expect(await collectDataSets(page, 6)).toHaveLength(1);

    await pauseButton(page).click();
    expect(new Set(await collectDataSets(page, 6)).size).toBeGreaterThanOrEqual(3);

    await page.clock.resume();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openWithStoppedClock(page, 60);
    await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'true');
    expect(await collectDataSets(page, 6)).toHaveLength(1);

    await pauseButton(page).click();
    await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'false');
    expect((await collectDataSets(page, 6)).length).toBeGreaterThanOrEqual(3);
  },
);
