import { errorMessage, fetchStream } from '../lib/api.ts';
import { flash } from './flash.tsx';

export const CONNECTION_LOST = 'The connection broke off before the file was complete. Nothing was saved.';

/**
 * Saves a file of the server and shows the result. Must be called during a user's click.
 *
 * @param onStart called when the user has chosen where to save
 */
export async function saveServerFile(
  path: string,
  name: string,
  done: string,
  onStart: () => void = () => undefined,
): Promise<void> {
  try {
    if (await saveFile(path, name, onStart)) flash(done);
  } catch (error) {
    flash(errorMessage(error, CONNECTION_LOST), 'warning');
  }
}

/**
 * Saves a file of the server, for callers that show the result themselves. Must be called during a user's click.
 *
 * @returns whether it was saved: false when the user cancels
 * @throws ApiError when the server refuses it
 */
export async function saveFile(path: string, name: string, onStart?: () => void): Promise<boolean> {
  const target = await pickSaveTarget(name);
  if (target === undefined) return false;
  onStart?.();
  await target.write(() => fetchStream('GET', path, {}));
  return true;
}

/** Where a streamed file is saved. */
export interface SaveTarget {
  /** Saves the whole file that `open` asks for. Leaves nothing behind if that is refused, fails or is cancelled. */
  write(open: () => Promise<Response>, signal?: AbortSignal): Promise<void>;
}

declare global {
  interface Window {
    /** Not in every browser, and on secure connections only. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

/**
 * Asks where to save if the browser can write directly to the disk, so that a file of any size needs little memory.
 * Other browsers collect the file and download it at the end. Must be called during a user's click.
 *
 * @returns undefined when the user cancels
 */
export async function pickSaveTarget(name: string): Promise<SaveTarget | undefined> {
  if (window.showSaveFilePicker === undefined) return download(name);
  try {
    return onDisk(await window.showSaveFilePicker({ suggestedName: name }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // Not allowed here, for example in a frame.
    return download(name);
  }
}

/** The browser writes to a temporary file and renames it at the end. */
const onDisk = (handle: FileSystemFileHandle): SaveTarget => ({
  write: async (open, signal) => {
    try {
      const { body } = await open();
      if (body === null) throw new Error('The response has no body.');
      await body.pipeTo(await handle.createWritable(), signal && { signal });
    } catch (error) {
      await removeEmpty(handle);
      throw error;
    }
  },
});

/** Removes the empty file that the browser created when its name was chosen. */
async function removeEmpty(handle: FileSystemFileHandle & { remove?: () => Promise<void> }): Promise<void> {
  try {
    if ((await handle.getFile()).size === 0) await handle.remove?.();
  } catch {
    // Removed already.
  }
}

/** Collects the file in memory, then downloads it. */
const download = (name: string): SaveTarget => ({
  write: async (open, signal) => {
    const collected = await (await open()).blob();
    signal?.throwIfAborted();
    const url = URL.createObjectURL(collected);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },
});
