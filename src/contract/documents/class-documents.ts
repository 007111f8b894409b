import { type CallGroup, fileReply } from '../calls.ts';
import { semesterReportQuery } from '../grading/reports.ts';
import { sheetPath } from '../marksheets/sheets.ts';

export const classDocumentCalls = {
  tag: 'Documents',
  calls: {
    'GET /api/reports/result-sheet.pdf': {
      summary: 'The result sheet of a class as a PDF in landscape',
      description:
        'Students in rows, courses in columns; final results only. Without `semester` of the latest one that any of them has recorded. The history has an entry for each file.',
      rights: ['write'],
      query: semesterReportQuery,
      replies: { 200: fileReply },
      refuses: [409, 422],
    },
    'GET /api/sheets/:sheet_id/award-list.pdf': {
      summary: 'The award list of a mark sheet as a PDF in landscape',
      description:
        'Students in rows, components in columns, with total and grade, boundaries and counts. Each page says whether the sheet is confirmed. The history has an entry for each file.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      replies: { 200: fileReply },
      refuses: [404, 409],
    },
  },
} satisfies CallGroup;
