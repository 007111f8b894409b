import { existsSync } from 'node:fs';
import path from 'node:path';
import { canInstall, installPackages } from './debian.mjs';
import { SetupError } from './project.mjs';

/** Debian package of each required program. */
const PROGRAMS = {
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  ip: 'iproute2',
  nsenter: 'util-linux',
  patroni: 'patroni',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  setpriv: 'util-linux',
  unshare: 'util-linux',
};

const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
const isThere = (program) =>
  path.isAbsolute(program)
    ? existsSync(program)
    : folders.some((folder) => existsSync(path.join(folder, program)));

const missing = () => [
  ...new Set(Object.keys(PROGRAMS).flatMap((program) => (isThere(program) ? [] : [PROGRAMS[program]]))),
];

/** Checks for the programs of the cluster; installs them on Debian, as root. */
export async function ensureCluster() {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    throw new SetupError('The cluster tests need root on Linux, for network namespaces.');
  }
  if (missing().length > 0 && canInstall()) {
    console.log(`Installing Debian's ${missing().join(', ')} for the cluster tests (once) …`);
    await installPackages(...missing());
  }
  if (missing().length > 0)
    throw new SetupError(`The cluster tests need Debian's packages ${missing().join(', ')}.`);
}
