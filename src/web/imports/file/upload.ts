import type { Import, ImportKind } from '../../../contract/imports.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';

const MAX_FILE_MIB = 20;
const TOO_LARGE = `The file must be at most ${MAX_FILE_MIB} MiB. Divide it into smaller files.`;

/** The source of an import: a file, or pasted rows. */
export type ImportSource = { file: File } | { text: string };

interface Upload {
  kind: ImportKind;
  /** The course of an import of marks. */
  courseId: string | undefined;
  /** The draft of an import of its rows. */
  schemeId: string | undefined;
  source: ImportSource;
  /** The sheet of a workbook; without it, the first one with rows. */
  sheet?: string;
}

/** Files that this tab has uploaded, by import. The server keeps only the rows; another sheet needs the file again. */
const files = new Map<number, File>();

export const uploadedFile = (importId: number): File | undefined => files.get(importId);

/** @throws ApiError at the field `file` for a file that is too large */
export async function uploadImport(
  { kind, courseId, schemeId, source, sheet }: Upload,
  signal?: AbortSignal,
): Promise<Import> {
  const form = new FormData();
  form.set('kind', kind);
  if (courseId !== undefined) form.set('course_id', courseId);
  if (schemeId !== undefined) form.set('scheme_id', schemeId);
  if (sheet !== undefined) form.set('sheet', sheet);
  // The file comes last, so that the server knows how to read it before it arrives.
  if ('file' in source) {
    if (source.file.size > MAX_FILE_MIB * 1024 * 1024) throw tooLarge();
    form.set('file', source.file);
  } else form.set('text', source.text);
  try {
    const reply = await call('POST /api/imports', {
      body: form,
      signal,
      hasOverlay: false,
    });
    if ('file' in source) files.set(reply.import.import_id, source.file);
    return reply.import;
  } catch (error) {
    throw error instanceof ApiError && error.status === 413 ? tooLarge() : error;
  }
}

const tooLarge = () => new ApiError(422, TOO_LARGE, { errors: { file: [TOO_LARGE] } });
