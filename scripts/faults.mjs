import { existsSync } from 'node:fs';
import path from 'node:path';
import { canInstall, installPackages } from './setup/debian.mjs';
import { findPostgres } from './setup/postgres.mjs';
import { inProject, main, runTool, setup, tools } from './setup.mjs';

/** A Debian package's file; the package is installed where it may be. Empty where it can't be had. */
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

/** `npm run test:faults` lets everything go wrong that can; names of rows run only those, `soak` runs half an hour. */
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
