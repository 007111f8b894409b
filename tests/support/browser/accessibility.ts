import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

/** Rules of moderate or minor impact, whose findings would fail no test. They take a fifth of the time of a check. */
const LESSER_RULES =
  'aria-allowed-role aria-deprecated-role empty-heading empty-table-header focus-order-semantics form-field-multiple-labels ' +
  'heading-order hidden-content html-xml-lang-mismatch image-redundant-alt landmark-banner-is-top-level ' +
  'landmark-contentinfo-is-top-level landmark-main-is-top-level landmark-no-duplicate-banner ' +
  'landmark-no-duplicate-contentinfo landmark-no-duplicate-main landmark-one-main landmark-unique meta-viewport ' +
  'meta-viewport-large no-autoplay-audio page-has-heading-one presentation-role-conflict region scope-attr-valid ' +
  'server-side-image-map skip-link table-duplicate-name';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails if axe finds a serious or critical problem on the page in its present state.
 *
 * @param rules the only rules to check; by default all
 */
export async function expectNoSeriousAxeFindings(page: Page, rules?: readonly string[]): Promise<void> {
  // During an animation axe would measure intermediate colours.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const iterations = animation.effect?.getComputedTiming().iterations;
      return animation.playState !== 'running' || iterations === Number.POSITIVE_INFINITY;
    }),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  // Only a rule about screen orientation needs the style sheets again, and the server may be stopped by the test.
  const options = {
    resultTypes: ['violations'],
    preload: false,
    rules: Object.fromEntries(LESSER_RULES.split(' ').map((rule) => [rule, { enabled: false }])),
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.target.join(' ')) }));
  expect(serious).toEqual([]);
}

/**
 * The same for the contrast of text in forced colours, such as a contrast theme of Windows. axe judges text by `-webkit-text-fill-color`,
 * where Chromium reports the colour of the style sheet although it paints that of the system, as `color` says. So that is set first.
 */
export async function expectContrastInForcedColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.evaluate(() => {
    const styled = [...document.querySelectorAll<HTMLElement | SVGElement>('body *')];
    const colors = styled.map((element) => getComputedStyle(element).color);
    for (const [i, { style }] of styled.entries())
      style.setProperty('-webkit-text-fill-color', colors[i] ?? '');
  });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await page.evaluate(() => {
    for (const { style } of document.querySelectorAll<HTMLElement | SVGElement>('body *')) {
      style.removeProperty('-webkit-text-fill-color');
    }
  });
  await page.emulateMedia({ forcedColors: 'none' });
}
