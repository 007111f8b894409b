import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { canInstall, installPackages } from './debian.mjs';

const { PATH = '', POSTGRES_BIN } = process.env;

/** Debian's packages keep the server's programs by version and out of the path; the newest first. */
function debianFolders() {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => path.join(root, version, 'bin'));
}

const isServer = (folder) =>
  ['initdb', 'postgres'].every((program) => existsSync(path.join(folder, program)));

const installed = () => [...debianFolders(), ...PATH.split(path.delimiter)].filter(Boolean).find(isServer);

/**
 * The folder of a PostgreSQL server's programs, for the tests on that engine; on Debian, as root, it is installed when
 * there is none. Undefined where none can be had: those tests are then reported as skipped.
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
  const folder = installed();
  if (folder === undefined) console.log('No PostgreSQL server found: the tests on that engine are skipped.');
  return folder;
}
