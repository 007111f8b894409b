import { writeFileSync } from 'node:fs';
import { npm } from './setup/install.mjs';
import { main, SetupError } from './setup.mjs';

/**
 * `npm run sbom` writes a CycloneDX list of every package of the lockfile, with version, licence and checksum;
 * `npm run sbom -- sbom.json` writes it to a file. It does not contact a registry. Packages for building and testing have
 * the property `cdx:npm:package:development`; the web app bundles some of them.
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
