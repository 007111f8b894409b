import { useEffect, useRef, useState } from 'react';

const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** A text that is pasted into a field may carry a picture of itself; it is the text that is meant. */
function pastesText({ clipboardData, target }: ClipboardEvent): boolean {
  const isField = target instanceof HTMLElement && target.matches('input, textarea');
  return isField && (clipboardData?.types.includes('text/plain') ?? false);
}

/**
 * Hears of a file that is dropped anywhere on the page or pasted. Dropped without this, it would take the place of
 * the page in the browser.
 *
 * @returns whether a file is being dragged over the page
 */
export function useBroughtFile(onFile: (file: File) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const listener = useRef(onFile);
  listener.current = onFile;

  useEffect(() => {
    const hearing = new AbortController();
    const { signal } = hearing;
    const take = (data: DataTransfer | null) => {
      const file = data?.files.item(0);
      if (file) listener.current(file);
      return Boolean(file);
    };
    const over = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false);
    };
    const drop = (event: DragEvent) => {
      setIsDragging(false);
      if (!bringsFiles(event)) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      if (!pastesText(event) && take(event.clipboardData)) event.preventDefault();
    };
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    document.addEventListener('paste', paste, { signal });
    return () => hearing.abort();
  }, []);
  return isDragging;
}
