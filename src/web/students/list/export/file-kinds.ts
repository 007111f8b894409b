import type { ExportRequest } from './export-request.ts';

/** The content and the format of the file. */
export type FileOptions = Omit<ExportRequest, 'view' | 'selection'>;

/** The kinds of file, the usual one first. */
export const FILE_KINDS: readonly { title: string; text: string; kind: FileOptions }[] = [
  { title: 'Excel workbook', text: 'Dates and numbers keep their types', kind: { format: 'xlsx' } },
  { title: 'CSV', text: 'Plain text for other programs', kind: { format: 'csv' } },
  {
    title: 'CSV for Excel',
    text: 'CSV that Excel opens correctly (UTF-8 with BOM)',
    kind: { format: 'csv', forExcel: true },
  },
  {
    title: 'CSV with semicolons',
    text: 'For Excel in German or French',
    kind: { format: 'csv', forExcel: true, separator: 'semicolon' },
  },
];
