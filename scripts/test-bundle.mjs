import path from 'node:path';
import { inProject, main, NOT_TESTED, run, SetupError, setup } from './setup.mjs';

/**
 * `npm run test:bundle` makes the bundle for this Linux and uses it as an office does, in a root without Node.js, as a user without
 * rights. With `--if-possible` it is left out aloud where the packages of the bundle can't be had or a root can't be changed.
 */
await main(async () => {
  const isOptional = process.argv.includes('--if-possible');
  await setup();
  const name = `linux-${process.arch}`;
  const made = await run(process.execPath, [inProject('scripts', 'bundle.mjs'), '--folder-only', name], {
    quiet: true,
  });
  const folder = made.output.trim().split('\n').at(-1);
  if (made.code !== 0) {
    if (made.code !== NOT_TESTED || !isOptional) throw new SetupError(made.output.trim(), made.code);
    console.log(`NOT TESTED: the bundle, which can't be made here.\n${made.output.trim()}`);
    return;
  }
  const { code } = await run(
    process.execPath,
    ['--import', 'tsx', inProject('tests', 'bundle', 'run.ts'), path.resolve(folder)],
    { isTied: true },
  );
  if (code !== NOT_TESTED || !isOptional) process.exitCode = code;
});
