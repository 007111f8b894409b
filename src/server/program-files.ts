import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Development runs the sources, tests the build (vitest.config.ts). In the build, the files of this folder and its modules are in one folder. */
export const isSource = import.meta.url.endsWith('.ts');

/**
 * A module that runs in a process or a worker of its own, which the build keeps in its place.
 *
 * @param file relative to this folder, without its extension
 */
export const toModuleUrl = (file: string): URL =>
  new URL(isSource ? `${file}.ts` : `${file}.js`, import.meta.url);

export const PACKAGE_FILE = new URL('../../package.json', import.meta.url);

/** The built web application. */
export const WEB_FOLDER = new URL(isSource ? '../../dist/web' : '../web', import.meta.url);

/** The folder of start files, Node.js and program that an office has unpacked; undefined in a clone and in a container. */
export const BUNDLE_FOLDER: string | undefined = isBundle()
  ? fileURLToPath(new URL('../../..', import.meta.url))
  : undefined;

function isBundle(): boolean {
  const own: unknown = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
  return typeof own === 'object' && own !== null && 'bundle' in own;
}
