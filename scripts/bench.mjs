import { readdirSync } from 'node:fs';
import { findBrowser } from './setup/browser.mjs';
import { inProject, main, runTool, SetupError, setup, tools } from './setup.mjs';

/** `npm run bench` runs every benchmark in bench/, `npm run bench -- web-size` the named ones. */
await main(async () => {
  await setup();
  const all = readdirSync(inProject('bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new SetupError(`There is no benchmark '${unknown}'. Available: ${all.join(', ')}.`);
  const env = { CHROMIUM_PATH: await findBrowser() };
  for (const name of wanted.length > 0 ? wanted : all) {
    console.log(`\n== ${name}`);
    const { code } = await runTool(tools.tsx, [inProject('bench', `${name}.ts`)], { env });
    if (code !== 0) throw new SetupError(`The benchmark '${name}' failed.`);
  }
});
