import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

/** How Windows reports a file that another program, such as a virus scanner, has open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];
/** Milliseconds for which a step is tried again, and between two tries. */
const RETRY_MS = 2_000;
const RETRY_INTERVAL_MS = 50;

/** Whether an error says that a file is in use, and may not be in a moment. */
const isInUse = (error: unknown) =>
  error instanceof Error && 'code' in error && IN_USE.includes(String(error.code));

/**
 * Runs a step that renames or removes files. On Windows, where a file that is open can be neither renamed nor removed, the step
 * is tried again for two seconds; elsewhere the same errors are about permissions and final.
 *
 * @throws the last error of the step
 */
export async function retryOnWindows<Result>(
  step: () => Result | Promise<Result>,
  platform: NodeJS.Platform = process.platform,
): Promise<Result> {
  const end = Date.now() + RETRY_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (platform !== 'win32' || !isInUse(error) || Date.now() >= end) throw error;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  }
}
