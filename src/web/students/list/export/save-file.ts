/** Where a streamed file is saved. */
export interface SaveTarget {
  /** Saves the whole stream. Leaves nothing behind if it fails or is cancelled. */
  write(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>;
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
  write: async (body, signal) => {
    try {
      await body.pipeTo(await handle.createWritable(), { signal });
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
  write: async (body, signal) => {
    const collected = await new Response(body).blob();
    signal.throwIfAborted();
    const url = URL.createObjectURL(collected);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },
});
