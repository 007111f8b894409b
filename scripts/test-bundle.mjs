import path from 'node:path';
import { parseArgs } from 'node:util';
import { inProject, main, NOT_TESTED, run, SetupError, setup } from './setup.mjs';

/**
 * `npm run test:bundle` makes the bundle for this Linux and uses it as an office does, in a root without Node.js, as a user without
 * rights. With `--if-possible` it is left out aloud where the packages of the bundle can't be had or a root can't be changed.
 *
 * `--wine FOLDER` uses the bundle for Windows under the Wine of a Debian in that folder; `--here` on this computer, of whatever kind.
 * `--folder BUNDLE` uses one that was unpacked before, `--older BUNDLE` begins the records with an older one, `--kills N` kills it more
 * often while people save.
 */
const { values } = parseArgs({
  options: {
    'if-possible': { type: 'boolean', default: false },
    wine: { type: 'string' },
    here: { type: 'boolean', default: false },
    folder: { type: 'string' },
    older: { type: 'string' },
    kills: { type: 'string' },
  },
});

/** @returns undefined where it can't be made and need not be */
async function makeFolder() {
  const name = values.wine === undefined ? `${process.platform}-${process.arch}` : 'win32-x64';
  const made = await run(process.execPath, [inProject('scripts', 'bundle.mjs'), '--folder-only', name], {
    quiet: true,
  });
  if (made.code === 0) return made.output.trim().split('\n').at(-1);
  if (made.code !== NOT_TESTED || !values['if-possible']) throw new SetupError(made.output.trim(), made.code);
  console.log(`NOT TESTED: the bundle, which can't be made here.\n${made.output.trim()}`);
  return undefined;
}

await main(async () => {
  await setup();
  const folder = values.folder ?? (await makeFolder());
  if (folder === undefined) return;
  const options = [
    ...(values.here ? ['--here'] : []),
    ...['wine', 'kills'].flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]])),
    ...(values.older === undefined ? [] : ['--older', path.resolve(values.older)]),
  ];
  const { code } = await run(
    process.execPath,
    ['--import', 'tsx', inProject('tests', 'bundle', 'run.ts'), ...options, path.resolve(folder)],
    { isTied: true },
  );
  if (code !== NOT_TESTED || !values['if-possible']) process.exitCode = code;
});
