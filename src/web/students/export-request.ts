import type { ExportBody, ExportFormat } from '../../contract/export.ts';
import type { StudentView } from '../../contract/student-list.ts';
import { openFile } from '../api.ts';
import type { ListSelection } from './list-selection.ts';

export interface ExportRequest {
  format: ExportFormat;
  /** CSV that Excel reads as it is meant. */
  forExcel?: boolean;
  view: StudentView;
  /** Nobody chosen singly: all of the view. */
  selection?: ListSelection | undefined;
}

/** Begins the export; the answer is the file as it is written. */
export function openExport({ format, forExcel, view, selection }: ExportRequest, signal: AbortSignal) {
  const url = `/api/exports/students.${format}`;
  const named = namedIn(selection);
  if (named !== undefined) {
    const body: ExportBody = { view, selection: named, bom: forExcel === true };
    return openFile('POST', url, { body, signal });
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...view, bom: forExcel })) {
    if (value !== undefined && value !== false) query.set(name, String(value));
  }
  return openFile('GET', query.size === 0 ? url : `${url}?${query}`, { signal });
}

function namedIn(selection: ListSelection | undefined): ExportBody['selection'] {
  if (selection === undefined) return undefined;
  if (selection.kind === 'all')
    return selection.except.size > 0 ? { except: [...selection.except] } : undefined;
  return selection.ids.size > 0 ? { ids: [...selection.ids] } : undefined;
}
