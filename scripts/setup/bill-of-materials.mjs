import { npm } from './install.mjs';
import { inProject, readText, SetupError } from './project.mjs';

/**
 * A CycloneDX list of every package of the lockfile, with version, licence and checksum, without contacting a registry. Packages
 * for building and testing have the property `cdx:npm:package:development`; the web app bundles some of them.
 */
export async function billOfMaterials() {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error', '--offline'];
  const { code, output } = await npm(args, { quiet: true });
  if (code !== 0) throw new SetupError(output);
  const list = JSON.parse(output.slice(output.indexOf('{')));
  // npm names the project after its folder.
  list.metadata.component.name = JSON.parse(readText(inProject('package.json'))).name;
  return list;
}
