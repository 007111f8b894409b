import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * No finding of axe that keeps people from using the page as it stands now.
 *
 * @param rules the only ones to look by, where the others have been looked by already
 */
export async function expectNoSeriousAxeFindings(page: Page, rules?: readonly string[]): Promise<void> {
  // What is still moving has half-way colours; axe would measure those.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const iterations = animation.effect?.getComputedTiming().iterations;
      return animation.playState !== 'running' || iterations === Number.POSITIVE_INFINITY;
    }),
  );
  await page.evaluate(axeSource);
  // Style sheets are not fetched once more: only a rule about turned screens reads them, and a test may be without a server.
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.target.join(' ')) }));
  expect(serious).toEqual([]);
}
