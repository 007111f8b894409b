import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { npm } from '../setup/install.mjs';
import { inProject, NOT_TESTED, readText, run, SetupError } from '../setup/project.mjs';
import { NATIVE_PACKAGES } from '../setup/vite.server.config.mjs';

/** Read from their folders at run time: the native packages, and the fonts of documents. */
const ROOTS = [
  ...NATIVE_PACKAGES,
  '@fontsource/hanken-grotesk',
  '@fontsource/scheherazade-new',
  '@fontsource/vazirmatn',
];

/** Node.js of the bundles has a SQLite of its own that is recent enough. */
const LEFT_OUT = new Set(['@photostructure/sqlite']);

const lockfile = () => JSON.parse(readText(inProject('package-lock.json')) ?? '{}').packages;

const isFor = ({ os, cpu }, found) =>
  (found.os ?? [os]).includes(os) &&
  (found.cpu ?? [cpu]).includes(cpu) &&
  (os !== 'linux' || (found.libc ?? ['glibc']).includes('glibc'));

/**
 * The packages that the server loads from `node_modules` on a platform, as the lockfile has them.
 *
 * @returns {{ name: string, version: string, integrity: string }[]}
 */
export function packagesOf(platform, locked = lockfile()) {
  const names = new Set(ROOTS);
  const found = [];
  for (const name of names) {
    const entry = locked[`node_modules/${name}`];
    if (entry === undefined || LEFT_OUT.has(name) || !isFor(platform, entry)) continue;
    found.push({ name, version: entry.version, integrity: entry.integrity });
    for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      names.add(needed);
  }
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The archives of the packages of these platforms, with their checksums. */
export const wantedBy = (platforms) =>
  platforms.flatMap((platform) => [
    platform.node,
    platform.nodeLicence,
    ...packagesOf(platform).map(({ name, version, integrity }) => ({
      spec: `${name}@${version}`,
      integrity,
    })),
  ]);

async function hasIntegrity(file, integrity) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}` === integrity;
}

/**
 * Gets the archives of packages from the registry, or from this folder where they are already.
 *
 * @param {{ spec: string, integrity: string }[]} wanted each as `name@version`
 * @returns {Promise<(spec: string) => string>} the file of each
 * @throws SetupError when one can't be had, or is not what its checksum says
 */
export async function fetchPackages(wanted, folder) {
  mkdirSync(folder, { recursive: true });
  const fileOf = (spec) => path.join(folder, `${spec.replaceAll(/[@/]/g, '+')}.tgz`);
  const missing = [...new Set(wanted.map(({ spec }) => spec))].filter((spec) => !existsSync(fileOf(spec)));
  if (missing.length > 0) {
    const args = [
      ...['pack', '--json', '--loglevel=error', '--fetch-retries=1', '--fetch-timeout=60000'],
      `--pack-destination=${folder}`,
    ];
    const { code, output } = await npm([...args, ...missing], { quiet: true });
    if (code !== 0)
      throw new SetupError(`${output.trim()}\n\nThe packages of the bundle can't be had.`, NOT_TESTED);
    for (const { id, filename } of Object.values(JSON.parse(output.slice(output.indexOf('[')))))
      renameSync(path.join(folder, path.basename(filename)), fileOf(id));
  }
  for (const { spec, integrity } of wanted) {
    if (!(await hasIntegrity(fileOf(spec), integrity)))
      throw new SetupError(`${fileOf(spec)} is not what its checksum says. Remove it and try again.`);
  }
  return fileOf;
}

/** Unpacks the archive of a package into a folder, only the named parts where some are. */
export async function unpackPackage(file, folder, parts = []) {
  mkdirSync(folder, { recursive: true });
  const args = [
    '-xzf',
    file,
    '-C',
    folder,
    '--strip-components=1',
    ...parts.map((part) => `package/${part}`),
  ];
  const { code, output } = await run('tar', args, { quiet: true });
  if (code !== 0) throw new SetupError(`${output.trim()}\n\n${file} can't be unpacked.`);
}
