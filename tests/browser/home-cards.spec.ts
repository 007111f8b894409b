import { expect, test } from '../support/browser/fixtures.ts';

// Covers 2.48, 2.49, 2.50, 2.51, 2.52, 2.53, 2.54, 2.56, 3.35
test('two cards, with a bar chart and a line chart of sample data, appear one after the other', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
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
});
