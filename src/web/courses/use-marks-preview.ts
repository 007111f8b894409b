import { useEffect, useMemo, useState } from 'react';
import {
  type MarksPreviewData,
  PORTION,
  previewFile,
  previewLongText,
  previewText,
} from './marks-preview-data.ts';

/** What the marks at hand would bring; null while it is being read, or when there is nothing to read. */
export function useMarksPreview(text: string, file: File | null): MarksPreviewData | null {
  const isShort = file === null && text.length <= PORTION;
  const atOnce = useMemo(() => (isShort && text.trim() !== '' ? previewText(text) : null), [isShort, text]);
  const [later, setLater] = useState<MarksPreviewData | null>(null);

  useEffect(() => {
    if (isShort) return;
    const controller = new AbortController();
    const reading =
      file === null ? previewLongText(text, controller.signal) : previewFile(file, controller.signal);
    void reading.then((preview) => {
      if (preview !== undefined && !controller.signal.aborted) setLater(preview);
    });
    return () => {
      controller.abort();
      setLater(null);
    };
  }, [isShort, text, file]);

  return isShort ? atOnce : later;
}
