import { existsSync } from 'node:fs';
import path from 'node:path';
import { canInstall, installPackages } from './setup/debian.mjs';
import { findPostgres } from './setup/postgres.mjs';
import { inProject, main, runTool, setup, tools } from './setup.mjs';

/** Finds a file of a Debian package, which is installed where possible. Empty where it is unavailable. */
async function findTool(name, places) {
  const installed = () => places.find((place) => existsSync(place));
  if (installed() === undefined && canInstall()) {
    console.log(`No ${name} found: installing Debian's (once) …`);
    await installPackages(name).catch((error) => console.log(error.message));
  }
  return installed() ?? '';
}

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);
const inPath = (name) =>
  (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));

/** `npm run test:faults` runs the fault injection tests, or only the named ones; `soak` runs for half an hour. */
await main(async () => {
  await setup();
  const [first, ...rest] = process.argv.slice(2);
  const isSoak = first === 'soak';
  const env = isSoak
    ? {}
    : {
        SIMS_STRACE: await findTool('strace', inPath('strace')),
        SIMS_FAKETIME: await findTool('libfaketime', libraries),
        POSTGRES_BIN: (await findPostgres()) ?? '',
      };
  const args = isSoak ? rest : process.argv.slice(2);
  const file = inProject('tests', 'faults', isSoak ? 'soak.ts' : 'run.ts');
  const { code } = await runTool(tools.tsx, [file, ...args], { env });
  process.exitCode = code;
});
