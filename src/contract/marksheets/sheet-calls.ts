import { z } from 'zod';
import { type CallGroup, fileReply } from '../calls.ts';
import { messageReply } from '../errors.ts';
import { studentsPreviewReply } from './registrations.ts';
import {
  addStudentsInput,
  cellsInput,
  cellsReply,
  dropQuery,
  rowPath,
  sheetInput,
  sheetListQuery,
  sheetListReply,
  sheetPath,
  sheetRowInput,
  sheetRowSavedReply,
  sheetRowStaleReply,
  sheetSavedReply,
  sheetShowReply,
  sheetStudentsInput,
  sheetTeachersInput,
  sheetUpdate,
} from './sheets.ts';

/** Text bypasses the serializer. */
const eventStream = z.unknown().meta({ type: 'string' });

export const sheetCalls = {
  tag: 'Mark sheets',
  calls: {
    'GET /api/sheets': {
      summary: 'Mark sheets without their rows, the newest first',
      rights: ['read', 'sheets'],
      query: sheetListQuery,
      replies: { 200: sheetListReply },
      refuses: [422],
    },
    'POST /api/sheets': {
      summary: 'Make a mark sheet for a class or for named students',
      rights: ['write'],
      body: sheetInput,
      replies: { 201: sheetSavedReply },
      refuses: [422],
    },
    'GET /api/sheets/:sheet_id': {
      summary: 'A mark sheet with its rows',
      rights: ['read', 'sheets'],
      params: sheetPath,
      replies: { 200: sheetShowReply },
      refuses: [404],
    },
    'PUT /api/sheets/:sheet_id': {
      summary: 'Change title, credit hours and categories of a draft',
      description: 'A component that holds marks goes only with `discard`.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      body: sheetUpdate,
      replies: { 200: sheetSavedReply },
      refuses: [404, 409, 412, 422],
    },
    'DELETE /api/sheets/:sheet_id': {
      summary: 'Delete a draft that was never submitted',
      rights: ['write'],
      params: sheetPath,
      replies: { 200: messageReply },
      refuses: [404, 409, 412],
    },
    'POST /api/sheets/:sheet_id/students': {
      summary: 'Add students to the class list of a draft',
      description:
        'All or nobody. In a dated term until its last day to add, administrators also later with a reason; a warning needs one too.',
      rights: ['write'],
      params: sheetPath,
      body: addStudentsInput,
      replies: { 200: sheetSavedReply },
      refuses: [404, 409, 422],
    },
    'POST /api/sheets/:sheet_id/students/preview': {
      summary: 'How students would be added to the class list of a draft',
      description:
        'Stores nothing. Says who stands on another mark sheet of the course and term, and in a dated term which warnings need a reason.',
      rights: ['write'],
      params: sheetPath,
      body: sheetStudentsInput,
      replies: { 200: studentsPreviewReply },
      refuses: [404, 409, 422],
    },
    'DELETE /api/sheets/:sheet_id/students/:student_id': {
      summary: 'Take a student off the class list of a draft',
      rights: ['write'],
      description: 'In a dated term until its last day to drop, administrators also later with a reason.',
      params: rowPath,
      query: dropQuery,
      replies: { 200: sheetSavedReply },
      refuses: [404, 409, 422],
    },
    'PUT /api/sheets/:sheet_id/teachers': {
      summary: 'Name the teachers of a mark sheet',
      description:
        'In any state, at most ten accounts, no viewers. Who is not named any more can’t open the sheet as a teacher.',
      rights: ['write'],
      params: sheetPath,
      body: sheetTeachersInput,
      replies: { 200: sheetSavedReply },
      refuses: [404, 412, 422],
    },
    'PUT /api/sheets/:sheet_id/cells': {
      summary: 'Store cells of a draft',
      description:
        'Each is stored if it still holds `was`; otherwise it is left and listed in `conflicts`. A mark, `A` for absent, `E` for excused, null to empty it.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      body: cellsInput,
      replies: { 200: cellsReply },
      refuses: [404, 409, 422],
    },
    'PUT /api/sheets/:sheet_id/rows/:student_id': {
      summary: 'Set how a row of a draft ends',
      rights: ['write', 'sheets'],
      params: rowPath,
      body: sheetRowInput,
      replies: { 200: sheetRowSavedReply, 412: sheetRowStaleReply },
      refuses: [404, 409, 422],
    },
    'GET /api/sheets/:sheet_id/marks.csv': {
      summary: 'The marks of a sheet as CSV',
      description:
        'CMS ID, name, a column for each component, total and grade, as UTF-8 with a byte order mark. Text that a spreadsheet would read as a formula begins with an apostrophe. The history has an entry for each file.',
      rights: ['read'],
      params: sheetPath,
      replies: { 200: fileReply },
      refuses: [404],
    },
    'GET /api/sheets/:sheet_id/events': {
      summary: 'What others do in a mark sheet, as server-sent events',
      description:
        '`cells` with changed rows, `state` when the sheet is to be read again, `people` who has it open.',
      rights: ['read', 'sheets'],
      params: sheetPath,
      replies: { 200: eventStream },
      refuses: [404, 429],
    },
  },
} satisfies CallGroup;
