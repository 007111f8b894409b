import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { getReason, StartError } from '../start-error.ts';

/** The system and the administrators of the computer, who may take every folder anyway. */
const WINDOWS_ALWAYS = ['*S-1-5-18', '*S-1-5-32-544'];

/**
 * Lets only its owner open a new folder and all that will be in it. On Windows a folder inherits the rights of the one above, which every
 * user of the computer may have; elsewhere it was created with the right mode.
 */
export function makePrivate(folder: string, env: NodeJS.ProcessEnv = process.env): void {
  if (process.platform !== 'win32') return;
  const owner = env.USERDOMAIN === undefined ? (env.USERNAME ?? '') : `${env.USERDOMAIN}\\${env.USERNAME}`;
  const grants = [owner, ...WINDOWS_ALWAYS].flatMap((who) => ['/grant:r', `${who}:(OI)(CI)F`]);
  const icacls = join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'icacls.exe');
  try {
    execFileSync(icacls, [folder, '/inheritance:r', ...grants], { stdio: 'pipe', windowsHide: true });
  } catch (error) {
    throw new StartError(
      `The rights of the data folder ${folder} can't be set, so that other users could read it: ${getReason(error)}`,
    );
  }
}
