import type {
  CsvSeparator,
  ExportBody,
  ExportFormat,
  ExportResults,
} from '../../../../contract/students/export.ts';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import type { ExportColumn } from '../../../../domain/export-columns.ts';
import { fetchStream } from '../../../lib/api.ts';
import type { ListSelection } from '../model/selection.ts';

export interface ExportRequest {
  format: ExportFormat;
  /** A CSV with the byte order mark by which Excel recognizes UTF-8. */
  forExcel?: boolean;
  /** Of a CSV; a comma by default. */
  separator?: CsvSeparator;
  /** All by default. */
  columns?: readonly ExportColumn[];
  results?: ExportResults;
  view: StudentView;
  /** All of the view by default. */
  selection?: ListSelection | undefined;
}

/** Starts the export; the response is the file, streamed while it is written. */
export function requestExport(
  { format, forExcel, separator, columns, results, view, selection }: ExportRequest,
  signal: AbortSignal,
) {
  const url = `/api/exports/students.${format}`;
  const named = namedStudents(selection);
  if (named !== undefined) {
    const body: ExportBody = {
      view,
      selection: named,
      bom: forExcel === true,
      separator,
      results,
      ...(columns && { columns: [...columns] }),
    };
    return fetchStream('POST', url, { body, signal });
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...view, bom: forExcel, separator, columns, results })) {
    if (value !== undefined && value !== false) query.set(name, String(value));
  }
  return fetchStream('GET', query.size === 0 ? url : `${url}?${query}`, { signal });
}

/** The students to name in the request; undefined for all of the view. */
function namedStudents(selection: ListSelection | undefined): ExportBody['selection'] {
  if (selection === undefined) return undefined;
  if (selection.kind === 'all')
    return selection.except.size > 0 ? { except: [...selection.except] } : undefined;
  return selection.ids.size > 0 ? { ids: [...selection.ids] } : undefined;
}
