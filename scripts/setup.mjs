import './setup/node-version.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';

export { ensureInstalled } from './setup/install.mjs';
export * from './setup/project.mjs';

/** Prepares a clone: installs dependencies and builds, if needed. */
export async function setup() {
  await ensureInstalled();
  await ensureBuilt();
}
