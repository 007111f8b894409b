import { EXIT, SIMS, StartError } from '../start-error.ts';
import { backupsIn } from './names.ts';
import { isSealed } from './seal.ts';

/** Says of a database that is damaged what to put in its place: the latest backup that is, byte by byte, what was written. */
export async function adviseRestore(error: unknown, folder: string | undefined): Promise<unknown> {
  if (!(error instanceof StartError) || error.exitCode !== EXIT.damaged || folder === undefined) return error;
  for (const { file } of await backupsIn(folder)) {
    if (!(await isSealed(file).catch(() => false))) continue;
    const advice = `The last good one is ${file}; put it in place with: ${SIMS} restore ${file} --force`;
    return new StartError(`${error.message} ${advice}`, error.exitCode);
  }
  return new StartError(`${error.message} There is none in ${folder}.`, error.exitCode);
}
