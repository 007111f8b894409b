/** Key presses from the registration in an empty product to a list of the 20 students of a file. */
import { chromium } from '@playwright/test';
import { toCsv } from '../../tests/support/app/import-file.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { ADMISSIONS } from '../support/days-papers.ts';
import { Keyboard, toMinutes } from '../support/keyboard.ts';

const { CHROMIUM_PATH } = process.env;
const MAX_KEYS = 100;
const ACCOUNT = { name: 'Nadia Farooq', email: 'nadia@college.edu.pk', password: 'four dry umbrellas' };

const rows = ADMISSIONS.map(({ student, family: { student_id: _, ...family } }) => {
  const { img: __, reason: ___, ...details } = student;
  return { ...details, ...family };
});
const file = { name: 'intake.csv', mimeType: 'text/csv', buffer: Buffer.from(toCsv(rows)) };

const server = await Server.start({ LOG_LEVEL: 'warn' });
const browser = await chromium.launch({
  ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
  args: ['--no-sandbox', '--lang=en-US'],
});
try {
  const page = await browser.newPage({ baseURL: server.url });
  const keys = new Keyboard(page);
  const label = (text: RegExp) => page.getByLabel(text);
  await page.goto('/register');
  await keys.fill(label(/^Name/), ACCOUNT.name);
  await keys.fill(label(/^Email/), ACCOUNT.email);
  await keys.fill(label(/^Password/), ACCOUNT.password);
  await keys.fill(label(/^Confirm Password/), ACCOUNT.password);
  await keys.press('Enter');
  await keys.seeScreen(page.getByRole('link', { name: 'Import the students' }));
  const registered = keys.takeEffort();

  await keys.reach(page.getByRole('link', { name: 'Import the students' }));
  await keys.press('Enter');
  await keys.see(page.getByRole('radio', { name: 'Students with families' }));
  // The file is named in the dialog of the system, which is not counted.
  const chooser = page.waitForEvent('filechooser');
  await keys.reach(page.getByRole('button', { name: 'Choose file' }));
  await keys.press('Enter');
  await (await chooser).setFiles(file);
  await keys.see(page.getByRole('button', { name: 'Preview 20 rows' }));
  await keys.press('Control+Enter');
  await keys.see(page.getByRole('button', { name: 'Import 20 rows', disabled: false }));
  await keys.press('Control+Enter');
  await keys.see(page.getByRole('heading', { name: '20 students saved' }));
  await keys.press('g', 's');
  await keys.see(page.getByRole('status').getByText('20 students'));
  const imported = keys.takeEffort();

  const all = { keys: registered.keys + imported.keys, waited: registered.waited + imported.waited };
  for (const [activity, effort] of Object.entries({
    'The account': registered,
    'The file and the list': imported,
    All: all,
  }))
    console.log(
      `${activity.padEnd(24)} ${String(effort.keys).padStart(4)} keys, ${effort.waited.toFixed(1)} s waiting, ${toMinutes(effort).toFixed(1)} minutes`,
    );
  console.log(`At most ${MAX_KEYS} keys: ${(all.keys / MAX_KEYS).toFixed(2)}`);
} finally {
  await browser.close();
  await server.dispose();
}
