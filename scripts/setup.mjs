import './setup/node-version.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';

export { ensureInstalled } from './setup/install.mjs';
export * from './setup/project.mjs';

/** Everything a fresh clone lacks: installs what is missing, builds what is stale. */
export async function setup() {
  await ensureInstalled();
  await ensureBuilt();
}
