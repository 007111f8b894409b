import type {
  CsvSeparator,
  ExportBody,
  ExportFormat,
  ExportResults,
} from '../../../../contract/students/export.ts';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import type { ExportColumn } from '../../../../domain/export-columns.ts';
import { fetchStream } from '../../../lib/api.ts';
import { callAddress } from '../../../lib/call.ts';
import type { ListSelection } from '../model/selection.ts';

export interface ExportRequest {
  format: ExportFormat;
  /** A CSV with the byte order mark by which Excel recognizes UTF-8. */
  forExcel?: boolean;
  /** The separator of a CSV; a comma by default. */
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
    return fetchStream('POST', callAddress(`POST /api/exports/students.${format}`), { body, signal });
  }
  const query = { ...view, bom: forExcel === true ? 'true' : undefined, separator, columns, results };
  return fetchStream('GET', callAddress(`GET /api/exports/students.${format}`, { query }), { signal });
}

/** The students to name in the request; undefined for all of the view. */
function namedStudents(selection: ListSelection | undefined): ExportBody['selection'] {
  if (selection === undefined) return undefined;
  if (selection.kind === 'all')
    return selection.except.size > 0 ? { except: [...selection.except] } : undefined;
  return selection.ids.size > 0 ? { ids: [...selection.ids] } : undefined;
}
