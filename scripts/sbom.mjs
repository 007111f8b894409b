import { writeFileSync } from 'node:fs';
import { npm } from './setup/install.mjs';
import { main, SetupError } from './setup.mjs';

/**
 * `npm run sbom` writes a list of every package that the lockfile names, with version, licence and sum, in CycloneDX;
 * `npm run sbom -- sbom.json` into a file. Nothing is asked of a registry. Those that only build and test have the
 * property `cdx:npm:package:development`; the browser application is bundled from some of them.
 */
await main(async () => {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error', '--offline'];
  const { code, output } = await npm(args, { quiet: true });
  if (code !== 0) throw new SetupError(output);
  const list = `${output.slice(output.indexOf('{'))}`;
  JSON.parse(list);
  const [file] = process.argv.slice(2);
  if (file === undefined) console.log(list.trimEnd());
  else writeFileSync(file, list);
});
