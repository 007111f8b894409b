import type { ExportRequest } from './export-request.ts';

/** What is in the file, and how it is written. */
export type FileOptions = Omit<ExportRequest, 'view' | 'selection'>;

export const FILE_KINDS: readonly { title: string; text: string; kind: FileOptions }[] = [
  { title: 'CSV', text: 'Plain text for other programs', kind: { format: 'csv' } },
  {
    title: 'CSV for Excel',
    text: 'Marked so that Excel shows every letter',
    kind: { format: 'csv', forExcel: true },
  },
  { title: 'Excel workbook', text: 'With dates and numbers as such', kind: { format: 'xlsx' } },
  {
    title: 'CSV with semicolons',
    text: 'As Excel in German or French reads it',
    kind: { format: 'csv', forExcel: true, separator: 'semicolon' },
  },
];
