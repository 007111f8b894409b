import { useEffect, useRef, useState } from 'react';

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Text pasted into a field may carry a picture of itself, which is ignored. */
function isPastedText({ clipboardData, target }: ClipboardEvent): boolean {
  const isField = target instanceof HTMLElement && target.matches('input, textarea');
  return isField && (clipboardData?.types.includes('text/plain') ?? false);
}

/**
 * Receives a file that is dropped anywhere on the page or pasted. By default the browser would navigate to a dropped
 * file.
 *
 * @returns whether a file is being dragged over the page
 */
export function useFileDrop(onFile: (file: File) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const listener = useRef(onFile);
  listener.current = onFile;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const take = (data: DataTransfer | null) => {
      const file = data?.files.item(0);
      if (file) listener.current(file);
      return Boolean(file);
    };
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false);
    };
    const drop = (event: DragEvent) => {
      setIsDragging(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      if (!isPastedText(event) && take(event.clipboardData)) event.preventDefault();
    };
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    document.addEventListener('paste', paste, { signal });
    return () => controller.abort();
  }, []);
  return isDragging;
}
