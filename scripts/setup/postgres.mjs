import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { canInstall, installPackages } from './debian.mjs';

const { PATH = '', POSTGRES_BIN } = process.env;

/** Debian installs the server programs by version, outside the path; newest first. */
function debianFolders() {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => path.join(root, version, 'bin'));
}

const isServer = (folder) =>
  ['initdb', 'postgres'].every((program) => existsSync(path.join(folder, program)));

const installed = () => [...debianFolders(), ...PATH.split(path.delimiter)].filter(Boolean).find(isServer);

const POOLER = 'pgbouncer';
const hasPgBouncer = () =>
  [...PATH.split(path.delimiter), '/usr/sbin'].some((folder) => existsSync(path.join(folder, POOLER)));

/** Installs PgBouncer on Debian, as root. Without it the tests behind a pooler are skipped. */
async function installPgBouncer() {
  if (hasPgBouncer() || !canInstall()) return;
  console.log("Installing Debian's PgBouncer for the tests (once) …");
  try {
    await installPackages(POOLER);
  } catch (error) {
    console.log(error.message);
  }
}

/**
 * Finds the folder of the PostgreSQL server programs; installs them on Debian, as root, if there are none. Undefined where
 * they are unavailable: the tests on PostgreSQL are then skipped.
 */
export async function findPostgres() {
  if (POSTGRES_BIN) return POSTGRES_BIN;
  if (installed() === undefined && canInstall()) {
    console.log("No PostgreSQL server found: installing Debian's for the tests (once) …");
    try {
      await installPackages('postgresql');
    } catch (error) {
      console.log(error.message);
    }
  }
  if (installed() !== undefined) await installPgBouncer();
  const folder = installed();
  if (folder === undefined) console.log('No PostgreSQL server found: the tests on that engine are skipped.');
  return folder;
}
