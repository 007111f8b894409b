import { readdirSync } from 'node:fs';
import { findBrowser } from './setup/browser.mjs';
import { inProject, main, runTool, SetupError, setup, tools } from './setup.mjs';

const GROUPS = ['students', 'examinations', 'server'];

/** The benchmarks of a group, each with its file. */
const benchmarks = (group) =>
  readdirSync(inProject('bench', group))
    .sort()
    .map((file) => [file.slice(0, -'.ts'.length), inProject('bench', group, file)]);

/** `npm run bench` runs every benchmark in bench/, `npm run bench -- web-size` the named ones. */
await main(async () => {
  await setup();
  const all = new Map(GROUPS.flatMap(benchmarks));
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !all.has(name));
  if (unknown !== undefined)
    throw new SetupError(`There is no benchmark '${unknown}'. Available: ${[...all.keys()].join(', ')}.`);
  const env = { CHROMIUM_PATH: await findBrowser() };
  for (const name of wanted.length > 0 ? wanted : all.keys()) {
    console.log(`\n== ${name}`);
    const { code } = await runTool(tools.tsx, [all.get(name)], { env });
    if (code !== 0) throw new SetupError(`The benchmark '${name}' failed.`);
  }
});
