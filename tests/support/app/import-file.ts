import {
  type Import,
  type ImportKind,
  type ImportPreview,
  type ImportRow,
  importAppliedReply,
  importCreatedReply,
  importPreview,
  importRowsReply,
} from '../../../src/contract/imports.ts';
import { csvLine } from '../../../src/server/students/export/csv.ts';
import { aFamily, aStudent } from '../records.ts';
import type { Person } from './people.ts';

/** Rows as CSV: a heading for each field of the first row. */
export const toCsv = (rows: readonly object[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => csvLine(cells))
    .join('');

/** A row with a student and the family, as a file has it: base record and family under their names. */
export function aStudentRow(changes: Record<string, string> = {}): Record<string, string> {
  const { img: _, ...base } = aStudent();
  const { student_id: __, ...family } = aFamily('');
  const texts = Object.entries({ ...base, ...family }).map(([field, value]) => [
    field,
    value === null ? '' : String(value),
  ]);
  return { ...Object.fromEntries(texts), ...changes };
}

/** Sends a file to import. */
export async function uploadFile(
  by: Person,
  kind: ImportKind,
  content: string | Uint8Array<ArrayBuffer>,
  { name = 'rows.csv', fields = {} }: { name?: string; fields?: Record<string, string> } = {},
): Promise<Import> {
  const form = new FormData();
  form.set('kind', kind);
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([content]), name);
  const answer = await by.call('POST', '/api/imports', { form });
  if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}: ${answer.text}`);
  return importCreatedReply.parse(answer.body).import;
}

export async function previewRows(
  by: Person,
  { import_id }: Pick<Import, 'import_id'>,
  choices: object = {},
): Promise<ImportPreview> {
  const answer = await by.post(`/api/imports/${import_id}/preview`, choices);
  if (answer.status !== 200) throw new Error(`The preview answered ${answer.status}: ${answer.text}`);
  return importPreview.parse(answer.body);
}

/** Uploads and previews rows of objects. */
export async function prepareImport(
  by: Person,
  kind: ImportKind,
  rows: readonly object[],
  choices: object = {},
): Promise<{ id: number; preview: ImportPreview }> {
  const uploaded = await uploadFile(by, kind, toCsv(rows));
  return { id: uploaded.import_id, preview: await previewRows(by, uploaded, choices) };
}

/** Imports rows of objects, all of them. `reason`: where they change results that come from mark sheets. */
export async function importRows(
  by: Person,
  kind: ImportKind,
  rows: readonly object[],
  choices: object = {},
  reason?: string,
): Promise<Import> {
  const { id, preview } = await prepareImport(by, kind, rows, choices);
  const { fingerprint } = preview;
  const answer = await by.post(`/api/imports/${id}/apply`, { fingerprint, reason });
  if (answer.status !== 200) throw new Error(`The import answered ${answer.status}: ${answer.text}`);
  return importAppliedReply.parse(answer.body).import;
}

/** The first rows of the latest preview. */
export async function listRows(by: Person, importId: number, query = ''): Promise<ImportRow[]> {
  const answer = await by.get(`/api/imports/${importId}/rows${query}`);
  if (answer.status !== 200) throw new Error(`The rows answered ${answer.status}: ${answer.text}`);
  return importRowsReply.parse(answer.body).rows;
}
