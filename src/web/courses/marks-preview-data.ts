import { MarksReader, type ParsedMarks, parseMarks } from '../../domain/marks.ts';
import { type MarksSummary, summaryOf, tallyMarks } from '../../domain/statistics.ts';
import { decodeMarksFile } from './decode-marks-file.ts';

/** Characters that are read in one go: some ten milliseconds' work. */
export const PORTION = 200_000;
/** The greatest file that the server takes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What an upload would bring. */
export type MarksPreviewData =
  | { kind: 'read'; parsed: ParsedMarks; summary: MarksSummary }
  | { kind: 'unreadable'; why: string };

const unreadable = (why: string): MarksPreviewData => ({ kind: 'unreadable', why });

const toPreview = (parsed: ParsedMarks): MarksPreviewData => ({
  kind: 'read',
  parsed,
  summary: summaryOf(tallyMarks(parsed.marks)),
});

export const previewText = (text: string) => toPreview(parseMarks(text));

/** {@link previewText} for long texts: the page stays responsive. Undefined when `signal` says that nobody waits. */
export async function previewLongText(
  text: string,
  signal: AbortSignal,
): Promise<MarksPreviewData | undefined> {
  const reader = new MarksReader(text);
  while (reader.read(PORTION)) {
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return toPreview(reader.result);
}

export async function previewFile(file: File, signal: AbortSignal): Promise<MarksPreviewData | undefined> {
  if (file.size > MOST_BYTES) return unreadable('This file is larger than 32 MB.');
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return unreadable('This file could not be read. It may have been moved or changed; choose it again.');
  }
  if (signal.aborted) return undefined;
  const text = decodeMarksFile(new Uint8Array(bytes));
  if (text === undefined) return unreadable('This file is not text. Save the sheet as CSV and choose that.');
  return previewLongText(text, signal);
}
