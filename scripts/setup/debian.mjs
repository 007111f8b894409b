import { readText, run, SetupError } from './project.mjs';

/** Debian only: on derivatives these packages may be mere redirects, to snaps for example. */
export const canInstall = () =>
  process.getuid?.() === 0 && /^ID=debian$/m.test(readText('/etc/os-release') ?? '');

/** Longer only where nothing answers. */
const INSTALLS_WITHIN_S = 300;

/** Installs Debian packages, as root. */
export async function installPackages(...names) {
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...names]]) {
    const { code, output } = await run('timeout', [`${INSTALLS_WITHIN_S}`, 'apt-get', ...args], {
      quiet: true,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (code !== 0)
      throw new SetupError(`${output.trim()}\n\nInstalling ${names.join(', ')} with apt-get failed.`);
  }
}
