import { useEffect, useMemo, useState } from 'react';
import { MarksReader, type ParsedMarks, parseMarks } from '../../../domain/marks.ts';
import { type MarksSummary, summarizeMarks, tallyMarks } from '../../../domain/statistics.ts';
import { decodeMarksFile } from './decode-marks-file.ts';
import { MAX_FILE_BYTES } from './use-upload-marks.ts';

/** Characters to parse before yielding to the browser: about ten milliseconds. */
const CHUNK_LENGTH = 200_000;

/** The result of parsing the marks. */
export type MarksPreviewData =
  | { kind: 'read'; parsed: ParsedMarks; summary: MarksSummary }
  | { kind: 'unreadable'; reason: string };

const unreadable = (reason: string): MarksPreviewData => ({ kind: 'unreadable', reason });

const toPreview = (parsed: ParsedMarks): MarksPreviewData => ({
  kind: 'read',
  parsed,
  summary: summarizeMarks(tallyMarks(parsed.marks)),
});

const previewText = (text: string) => toPreview(parseMarks(text));

/** Like {@link previewText}, in chunks so that the page stays responsive. Undefined once `signal` is aborted. */
async function previewTextInChunks(text: string, signal: AbortSignal): Promise<MarksPreviewData | undefined> {
  const reader = new MarksReader(text);
  while (reader.read(CHUNK_LENGTH)) {
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return toPreview(reader.result);
}

async function previewFile(file: File, signal: AbortSignal): Promise<MarksPreviewData | undefined> {
  if (file.size > MAX_FILE_BYTES) return unreadable('This file is larger than 32 MB.');
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return unreadable('This file could not be read. It may have been moved or changed; choose it again.');
  }
  if (signal.aborted) return undefined;
  const text = decodeMarksFile(new Uint8Array(bytes));
  if (text === undefined) return unreadable('This file is not text. Save the sheet as CSV and choose that.');
  return previewTextInChunks(text, signal);
}

/** The preview of the marks entered; null while parsing, or without marks. */
export function useMarksPreview(text: string, file: File | null): MarksPreviewData | null {
  const isShort = file === null && text.length <= CHUNK_LENGTH;
  const immediate = useMemo(
    () => (isShort && text.trim() !== '' ? previewText(text) : null),
    [isShort, text],
  );
  const [deferred, setDeferred] = useState<MarksPreviewData | null>(null);

  useEffect(() => {
    if (isShort) return;
    const controller = new AbortController();
    const result =
      file === null ? previewTextInChunks(text, controller.signal) : previewFile(file, controller.signal);
    void result.then((preview) => {
      if (preview !== undefined && !controller.signal.aborted) setDeferred(preview);
    });
    return () => {
      controller.abort();
      setDeferred(null);
    };
  }, [isShort, text, file]);

  return isShort ? immediate : deferred;
}
