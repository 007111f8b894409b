import { expect, type Page, test } from '../support/browser.ts';

const chart = (page: Page) => page.getByRole('img', { name: /^Sample GPA over eight semesters: / });
const shown = (page: Page) => chart(page).getAttribute('aria-label');
const pause = (page: Page) => page.getByRole('button', { name: 'Pause the sample charts' }).first();

test('two cards lead to the courses and the students', async ({ staffPage: page }) => {
  await expect(page.getByRole('link', { name: 'Manage Courses' })).toHaveAttribute('href', '/courses');
  await page.getByRole('link', { name: 'Manage Students' }).click();
  await expect(page).toHaveURL('/students');
});

/** Lets `seconds` pass and answers the data sets that the chart came to rest on, in their order. */
async function setsWithin(page: Page, seconds: number): Promise<(string | null)[]> {
  const sets: (string | null)[] = [];
  let [last, since] = [await shown(page), 0];
  for (let tenths = 0; tenths < seconds * 10; tenths += 1) {
    await page.clock.runFor(100);
    const now = await shown(page);
    since = now === last ? since + 1 : 0;
    last = now;
    // On its way to the next set the chart differs from one tenth of a second to the next.
    if (since === 5 && now !== sets.at(-1)) sets.push(now);
  }
  return sets;
}

/** From here on time passes only where the test lets it. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
  await expect(chart(page)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
}

test('the sample charts move on every two seconds, six sets in turn, until they are paused', async ({
  staffPage: page,
}) => {
  await openWithStoppedClock(page);
  const round = await setsWithin(page, 12);
  expect(round).toHaveLength(6);
  expect(new Set(round).size).toBe(6);
  expect(await setsWithin(page, 12)).toEqual(round);

  await pause(page).click();
  await expect(pause(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await setsWithin(page, 12)).toHaveLength(1);

  await pause(page).click();
  expect(new Set(await setsWithin(page, 12)).size).toBe(6);
});

test('where motion is unwanted the charts stand still until they are set going', async ({
  staffPage: page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openWithStoppedClock(page);
  await expect(pause(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await setsWithin(page, 6)).toHaveLength(1);

  await pause(page).click();
  await expect(pause(page)).toHaveAttribute('aria-pressed', 'false');
  expect((await setsWithin(page, 6)).length).toBeGreaterThanOrEqual(3);
});
