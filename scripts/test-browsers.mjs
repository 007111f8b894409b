import { existsSync } from 'node:fs';
import { canInstall, installPackages } from './setup/debian.mjs';
import { inProject, main, run, setup } from './setup.mjs';

/** Firefox, and WebKit with its driver and a display without a screen. */
const PROGRAMS = {
  'firefox-esr': '/usr/bin/firefox-esr',
  'webkit2gtk-driver': '/usr/bin/WebKitWebDriver',
  xvfb: '/usr/bin/Xvfb',
};
const INSTALL = `apt-get install --no-install-recommends ${Object.keys(PROGRAMS).join(' ')}`;

const findMissing = () =>
  Object.entries(PROGRAMS)
    .filter(([, program]) => !existsSync(program))
    .map(([name]) => name);

/**
 * `npm run test:browsers` runs the main tasks in Firefox and WebKit, `-- firefox`, `-- webkit` or `-- grid` only some of it. With `--if-installed`
 * a browser that can't be installed or started, such as without a network, is left out aloud, and the rest decides.
 */
await main(async () => {
  const given = process.argv.slice(2);
  const isOptional = given.includes('--if-installed');
  if (findMissing().length > 0 && canInstall()) {
    console.log(`Installing Debian's ${findMissing().join(', ')} for the tests in other browsers (once) …`);
    await installPackages(...findMissing()).catch((error) => console.log(error.message));
  }
  await setup();
  const program = ['--import', 'tsx', inProject('tests', 'browsers', 'run.ts')];
  const { code } = await run(process.execPath, [...program, ...given], { isTied: true });
  process.exitCode = code;
  const missing = findMissing();
  if (missing.length === 0) return;
  console.log(
    `\nNOT TESTED in every browser: ${missing.join(', ')} can't be found. On Debian, as root: ${INSTALL}\n`,
  );
  if (!isOptional) process.exitCode = 1;
});
