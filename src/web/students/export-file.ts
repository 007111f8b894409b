/** Where a file goes that comes in piece by piece. */
export interface ExportFile {
  /** Takes all of it; nothing of a file that breaks off or is cancelled is left behind. */
  write(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>;
}

declare global {
  interface Window {
    /** Not in every browser, and only where the connection is a safe one. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

/**
 * Asks where to save, where the browser can write straight to the disk, so that a file of any size needs no memory;
 * others collect it and download it at the end. To be called while a press is being answered.
 *
 * @returns undefined when the person has thought better of it
 */
export async function chooseFile(name: string): Promise<ExportFile | undefined> {
  if (window.showSaveFilePicker === undefined) return downloaded(name);
  try {
    return onDisk(await window.showSaveFilePicker({ suggestedName: name }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // Not allowed here, such as within a frame.
    return downloaded(name);
  }
}

/** The browser writes beside the file and puts it in its place at the end. */
const onDisk = (handle: FileSystemFileHandle): ExportFile => ({
  write: async (body, signal) => {
    try {
      await body.pipeTo(await handle.createWritable(), { signal });
    } catch (error) {
      await removeEmpty(handle);
      throw error;
    }
  },
});

/** Choosing a name has made an empty file of it. */
async function removeEmpty(handle: FileSystemFileHandle & { remove?: () => Promise<void> }): Promise<void> {
  try {
    if ((await handle.getFile()).size === 0) await handle.remove?.();
  } catch {
    // It is gone already.
  }
}

const downloaded = (name: string): ExportFile => ({
  write: async (body, signal) => {
    const collected = await new Response(body).blob();
    signal.throwIfAborted();
    const url = URL.createObjectURL(collected);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    // The browser takes hold of it only after the press.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  },
});
