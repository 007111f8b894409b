import { useEffect, useMemo, useState } from 'react';
import type { MarksSheet } from '../../../contract/courses.ts';
import type { DecimalMark } from '../../../domain/columns/cells.ts';
import {
  type AbsentRule,
  type MarksOptions,
  MarksReader,
  type ParsedMarks,
  parseMarks,
} from '../../../domain/marks.ts';
import { type MarksSummary, summarizeMarks, tallyMarks } from '../../../domain/statistics.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { decodeMarksFile, isArchive } from './decode-marks-file.ts';
import { MAX_FILE_BYTES } from './use-upload-marks.ts';

/** Characters to parse before yielding to the browser: about ten milliseconds. */
const CHUNK_LENGTH = 200_000;

/** The result of parsing the marks. */
export type MarksPreviewData =
  | {
      kind: 'read';
      parsed: ParsedMarks;
      summary: MarksSummary;
      /** The sheets of a workbook and the one that was read; undefined for text. */
      workbook: Workbook | undefined;
    }
  | { kind: 'unreadable'; reason: string };
type Workbook = Pick<MarksSheet, 'sheets' | 'sheet'>;

/** How the marks are read, as selected in the preview. */
export interface MarksReading {
  absent: AbsentRule;
  /** A sheet of the workbook; empty for the first one. */
  sheet: string;
  /** The column of marks; empty where none was chosen. */
  column: string;
  /** How decimals are written; empty where that was not chosen. */
  decimal: DecimalMark | '';
}

const toOptions = ({ absent, column, decimal }: MarksReading): MarksOptions => ({
  absent,
  column: column || undefined,
  decimal: decimal || undefined,
});

type FileText = { kind: 'text'; text: string; workbook?: Workbook } | { kind: 'unreadable'; reason: string };

const UNREADABLE = 'This file could not be read. It may have been moved or changed; select it again.';
const unreadable = (reason: string) => ({ kind: 'unreadable', reason }) as const;

const toPreview = (parsed: ParsedMarks, workbook?: Workbook): MarksPreviewData => ({
  kind: 'read',
  parsed,
  summary: summarizeMarks(tallyMarks(parsed.marks)),
  workbook,
});

/** Parses in chunks, so that the page stays responsive. Undefined once `signal` is aborted. */
async function previewInChunks(
  { text, workbook }: { text: string; workbook?: Workbook },
  options: MarksOptions,
  signal: AbortSignal,
): Promise<MarksPreviewData | undefined> {
  const reader = new MarksReader(text, options);
  while (reader.read(CHUNK_LENGTH)) {
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return toPreview(reader.result, workbook);
}

async function readFile(file: File, sheet: string, signal: AbortSignal): Promise<FileText> {
  if (file.size > MAX_FILE_BYTES) return unreadable('This file is larger than 32 MB.');
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return unreadable(UNREADABLE);
  }
  if (isArchive(bytes)) return readWorkbook(file, sheet, signal);
  const text = decodeMarksFile(bytes);
  if (text === undefined) {
    return unreadable('This file is not text. Save the sheet as XLSX or CSV and select that.');
  }
  return { kind: 'text', text };
}

/** The server reads workbooks, with the same code as when the marks are uploaded. */
async function readWorkbook(file: File, sheet: string, signal: AbortSignal): Promise<FileText> {
  const body = new FormData();
  body.set('sheet', sheet);
  body.set('file', file);
  try {
    const { text, ...workbook } = await call('POST /api/courses-marks/sheet', {
      body,
      signal,
      hasOverlay: false,
    });
    return { kind: 'text', text, workbook };
  } catch (error) {
    return unreadable(error instanceof ApiError ? (error.errors.file?.[0] ?? error.message) : UNREADABLE);
  }
}

/** The text of the file; null while it is read. Another sheet replaces the previous one when it has been read. */
function useFileText(file: File | null, sheet: string): FileText | null {
  const [read, setRead] = useState<{ file: File; content: FileText } | null>(null);
  useEffect(() => {
    if (file === null) {
      setRead(null);
      return;
    }
    const controller = new AbortController();
    void readFile(file, sheet, controller.signal).then((content) => {
      if (!controller.signal.aborted) setRead({ file, content });
    });
    return () => controller.abort();
  }, [file, sheet]);
  return read !== null && read.file === file ? read.content : null;
}

/** The preview of the marks entered; null while parsing, or without marks. */
export function useMarksPreview(
  text: string,
  file: File | null,
  reading: MarksReading,
): MarksPreviewData | null {
  const fileText = useFileText(file, reading.sheet);
  const options = useMemo(() => toOptions(reading), [reading]);
  const content = useMemo(
    () => (file === null ? ({ kind: 'text', text } as const) : fileText),
    [file, fileText, text],
  );
  const isShort = file === null && text.length <= CHUNK_LENGTH;
  const immediate = useMemo(
    () => (isShort && text.trim() !== '' ? toPreview(parseMarks(text, options)) : null),
    [isShort, text, options],
  );
  const [deferred, setDeferred] = useState<{ of: FileText; preview: MarksPreviewData } | null>(null);

  useEffect(() => {
    if (isShort || content?.kind !== 'text') return;
    const controller = new AbortController();
    void previewInChunks(content, options, controller.signal).then((preview) => {
      if (preview !== undefined && !controller.signal.aborted) setDeferred({ of: content, preview });
    });
    return () => controller.abort();
  }, [isShort, content, options]);

  if (isShort) return immediate;
  if (content?.kind === 'unreadable') return content;
  // Of the same text until it has been parsed again by the other rule.
  return deferred !== null && deferred.of === content ? deferred.preview : null;
}
