import { inProject, readText } from '../setup/project.mjs';

/**
 * Allowed licences. LGPL and MPL are allowed because these packages stay separate from our code: a library loaded at run
 * time (libvips) and build tools. OFL is the licence of the font.
 */
const LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['Unlicense', 'OFL-1.1', 'MPL-2.0', 'LGPL-3.0-or-later'],
]);

/**
 * Packages with an install script. None is run (`ignore-scripts` in .npmrc), and these work without: both contain their
 * binaries, and the script only looks for an alternative.
 */
const WORK_WITHOUT_SCRIPT = new Set(['@photostructure/sqlite', 'esbuild']);

/** Data for a check, in no build; the licence is allowed for it alone. */
const DATA_LICENCES = { '@mdn/browser-compat-data': 'CC0-1.0' };

/** Packages whose licence stands only in their file LICENSE. */
const LICENCE_IN_FILE = { 'png-js@2.0.0': 'MIT' };

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
/** Sources served by a registry, as opposed to git, a URL or a folder. */
const FROM_REGISTRY = /^https:\/\/[^/]+\/.+\.tgz$/;

const toPackageName = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Evaluates an SPDX expression without nested brackets: one alternative of OR, all terms of AND. */
export const isAllowed = (licence = '') =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => LICENCES.has(name)));

/**
 * The problems of the packages in a lockfile, a line each: a version that is not exact, a source other than a registry, a
 * missing checksum, an install script, a licence that is not allowed.
 *
 * @returns {string[]}
 */
export function findProblems(manifest, lockfile) {
  const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  const problems = asked
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${name}: "${version}" is no exact version`);
  for (const [place, found] of Object.entries(lockfile.packages)) {
    if (place === '') continue;
    const add = (problem) => problems.push(`${toPackageName(place)} ${found.version}: ${problem}`);
    if (found.link || (found.resolved !== undefined && !FROM_REGISTRY.test(found.resolved))) {
      add(`does not come from a registry but from ${found.resolved}`);
    }
    // A bundled package is part of another package's archive, whose checksum covers it.
    if (!found.inBundle && !found.integrity?.startsWith('sha512-')) add('has no SHA-512 of its contents');
    if (found.hasInstallScript && !WORK_WITHOUT_SCRIPT.has(toPackageName(place)))
      add('has a script for its installation');
    const licence = found.license ?? LICENCE_IN_FILE[`${toPackageName(place)}@${found.version}`];
    const isData = licence !== undefined && licence === DATA_LICENCES[toPackageName(place)];
    if (!isAllowed(licence) && !isData) add(`has the licence ${licence}`);
  }
  return problems;
}

const json = (file) => JSON.parse(readText(inProject(file)) ?? '{}');

const manifest = () => json('package.json');
const lockfile = () => json('package-lock.json');

export function supplyChainProblems() {
  const npmrc = readText(inProject('.npmrc')) ?? '';
  const scripts = /^ignore-scripts=true$/m.test(npmrc) ? [] : ['.npmrc lets packages run scripts'];
  return [...scripts, ...findProblems(manifest(), lockfile())];
}

/** Number of direct dependencies, and of all with their own dependencies. */
export function counts() {
  const { dependencies = {}, devDependencies = {} } = manifest();
  const packages = Object.entries(lockfile().packages).filter(([place]) => place !== '');
  const running = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
  return {
    running: {
      direct: Object.keys(dependencies).length,
      all: running.length,
      forOnePlatform: running.filter(([, { os, cpu }]) => os ?? cpu).length,
    },
    developing: { direct: Object.keys(devDependencies).length, all: packages.length - running.length },
    licences: Object.entries(countLicences(packages)).sort(([, a], [, b]) => b - a),
  };
}

function countLicences(packages) {
  const found = {};
  for (const [, { license }] of packages) found[license] = (found[license] ?? 0) + 1;
  return found;
}
