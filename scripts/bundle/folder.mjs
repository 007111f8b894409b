import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesUnder, inProject } from '../setup/project.mjs';
import { packagesOf, unpackPackage } from './packages.mjs';

/** The path of a file in a folder, as archives write it. */
export const pathIn = (folder, file) => path.relative(folder, file).replaceAll('\\', '/');

/** Whether the server reads a file of a package, or a licence asks for it. */
const isNeeded = (name, file) =>
  name.startsWith('@fontsource/')
    ? /^(package\.json|LICENSE|files\/.*-(400|600)-normal\.woff)$/.test(file)
    : !/^(src|install)\/|\.(d\.[cm]?ts|map)$|^(README|CHANGELOG)\.md$/.test(file);

/** Licences in the folder of a package, by their usual names. */
const LICENCE_FILE = /^(licen[cs]e|copying|notice|third[-_]party)/i;

const readLicences = (folder) =>
  readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());

async function addNode(folder, platform, fileOf) {
  const program = platform.os === 'win32' ? 'bin/node.exe' : 'bin/node';
  await unpackPackage(fileOf(platform.node.spec), folder, [program]);
  await unpackPackage(fileOf(platform.nodeLicence.spec), folder, ['LICENSE']);
  return path.join(folder, program);
}

/** @returns {Promise<string[]>} the licences of the packages, as parts of a text */
async function addPackages(folder, platform, fileOf) {
  const licences = [];
  for (const { name, version } of packagesOf(platform)) {
    const target = path.join(folder, name);
    await unpackPackage(fileOf(`${name}@${version}`), target);
    licences.push(`## ${name} - ${version}`, ...readLicences(target));
    for (const file of filesUnder(target)) if (!isNeeded(name, pathIn(target, file))) rmSync(file);
  }
  return licences;
}

/**
 * Writes the folder that an office unpacks and starts: Node.js, the built program, its native packages, start files, and the licences of
 * everything inside. Everybody may read its files, and its owner change them; data is never in it.
 *
 * @param {(spec: string) => string} fileOf the archive of a package
 */
export async function writeFolder(folder, { name, platform, manifest, fileOf, sbom }) {
  const inFolder = (...parts) => path.join(folder, ...parts);
  const node = await addNode(inFolder('node'), platform, fileOf);
  const licences = await addPackages(inFolder('app', 'node_modules'), platform, fileOf);
  for (const part of ['server', 'web']) {
    licences.push(readFileSync(inProject('dist', part, 'licences.md'), 'utf8').trim());
    cpSync(inProject('dist', part), inFolder('app', 'dist', part), {
      recursive: true,
      filter: (file) => !file.includes('licences.md'),
    });
  }
  const { version, license } = manifest;
  const own = { name: 'sims', version, license, private: true, type: 'module', bundle: name };
  writeFileSync(inFolder('app', 'package.json'), `${JSON.stringify(own)}\n`);
  cpSync(inProject('LICENSE'), inFolder('LICENSE'));
  cpSync(inProject('docs'), inFolder('docs'), {
    recursive: true,
    filter: (file) => !file.startsWith(inProject('docs', 'images')),
  });
  mkdirSync(inFolder('licences'));
  writeFileSync(inFolder('licences', 'packages.md'), `${licences.join('\n\n')}\n`);
  writeFileSync(inFolder('licences', 'bill-of-materials.json'), sbom);
  for (const file of platform.startFiles)
    cpSync(inProject('scripts', 'bundle', 'start-files', file), inFolder(file));

  const programs = new Set([node, ...platform.startFiles.map((file) => inFolder(file))]);
  for (const file of filesUnder(folder)) chmodSync(file, programs.has(file) ? 0o755 : 0o644);
}
