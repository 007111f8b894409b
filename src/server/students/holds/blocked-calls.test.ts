import { describe, expect, test } from 'vitest';
import { placeHold } from '../../../../tests/support/app/holds.ts';
import {
  aClass,
  aSheetFor,
  type ClassForSheet,
  createSheet,
  ONE_COMPONENT,
} from '../../../../tests/support/app/mark-sheets.ts';
import { addScheme, addStudent, aRow, refusedFields } from '../../../../tests/support/app/schemes.ts';
import { type Person, sharedApps, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { aCourse, INSTITUTION } from '../../../../tests/support/records.ts';
import { allCalls } from '../../../contract/all-calls.ts';
import { documentsPreview } from '../../../contract/documents/documents.ts';
import { openingPreview } from '../../../contract/marksheets/openings.ts';
import { studentsPreviewReply } from '../../../contract/marksheets/registrations.ts';

interface Given {
  app: TestApp;
  admin: Person;
  staff: Person;
}

/** Makes a call for a student on whom everything is blocked, and answers why the student is left out or refused. */
type Ask = (given: Given) => Promise<{ told: string | undefined; hold: string }>;

const ALL = ['official-documents', 'result-card', 'registration', 'certificate'];

/** A student with a result, and the text of a hold that blocks everything. */
async function heldStudent({ admin, staff }: Given) {
  await admin.put('/api/institution', INSTITUTION);
  const course = aCourse();
  await admin.post('/api/courses', course);
  const id = await addStudent(staff, '46', [[[course.course_id, 'A']]]);
  const { from, by } = await placeHold(staff, id, { blocks: ALL });
  return { id, hold: `fees, since ${from}, ${by.name}` };
}

/** A class whose first student is held. */
async function heldClass(given: Given): Promise<{ ofClass: ClassForSheet; id: string; hold: string }> {
  const ofClass = await aClass(given, 2);
  const [id = ''] = ofClass.ids;
  const { from, by } = await placeHold(given.staff, id, { blocks: ALL });
  return { ofClass, id, hold: `fees, since ${from}, ${by.name}` };
}

async function heldOpening(given: Given) {
  const held = await heldClass(given);
  const { degree, course_id } = held.ofClass;
  await addScheme(given.admin, [degree], [aRow([course_id], { key: 'A' })]);
  const classes = [{ department: 'CE', degree, semester: 1, syn: [] }];
  const body = { classes, choices: [], categories: ONE_COMPONENT };
  const url = `/api/terms/${held.ofClass.term_id}/openings`;
  const preview = openingPreview.parse((await given.admin.post(`${url}/preview`, body)).body);
  return { ...held, body, url, preview };
}

const TRANSCRIPT = { kind: 'transcript', official: true };

/**
 * Whatever may bring a student on a list or make a paper: `null` where no hold blocks it. A new call is added here, with what it
 * answers for a student on hold.
 */
const ASKS: Readonly<Record<string, Ask | null>> = {
  'POST /api/documents/preview': async (given) => {
    const { id, hold } = await heldStudent(given);
    const { body } = await given.staff.post('/api/documents/preview', { ...TRANSCRIPT, ids: [id] });
    return { told: documentsPreview.parse(body).refused[0]?.reason, hold };
  },
  'POST /api/documents': async (given) => {
    const { id, hold } = await heldStudent(given);
    const refused = await given.staff.post('/api/documents', { ...TRANSCRIPT, ids: [id] });
    return { told: refusedFields(refused).ids, hold: `${id}: ${hold}` };
  },
  'POST /api/documents/batches/:batch_id/cancel': null,
  'POST /api/documents/:serial/revoke': null,
  // What was issued stays as it is. Of unofficial result cards, which are made anew, a test is beside those of documents.
  'GET /api/documents/batches/:batch_id.pdf': null,
  'GET /api/documents/batches/:batch_id.zip': null,
  'GET /api/documents/:serial.pdf': null,
  // Lists of a class, and what the law gives the student.
  'GET /api/reports/result-sheet.pdf': null,
  'GET /api/sheets/:sheet_id/award-list.pdf': null,
  'GET /api/students/:id/own-copy.pdf': null,

  'POST /api/sheets': async (given) => {
    const { ofClass, id, hold } = await heldClass(given);
    const refused = await given.admin.post('/api/sheets', aSheetFor(ofClass));
    return { told: refusedFields(refused).ids, hold: `Registration is blocked: ${hold}. CMS ID: ${id}.` };
  },
  'POST /api/sheets/:sheet_id/students/preview': async (given) => {
    const { ofClass, id, hold } = await heldClass(given);
    const { sheet_id } = await createSheet(given.staff, { ...ofClass, degree: 'empty', ids: [] });
    const { body } = await given.staff.post(`/api/sheets/${sheet_id}/students/preview`, { ids: [id] });
    return { told: studentsPreviewReply.parse(body)[0]?.refused ?? undefined, hold };
  },
  'POST /api/sheets/:sheet_id/students': async (given) => {
    const { ofClass, id, hold } = await heldClass(given);
    const { sheet_id } = await createSheet(given.staff, { ...ofClass, degree: 'empty', ids: [] });
    const refused = await given.staff.post(`/api/sheets/${sheet_id}/students`, { ids: ofClass.ids });
    return { told: refusedFields(refused).ids, hold: `Registration is blocked: ${hold}. CMS ID: ${id}.` };
  },
  'POST /api/terms/:term_id/openings/preview': async (given) => {
    const { preview, hold } = await heldOpening(given);
    return { told: preview.sheets[0]?.left_out[0]?.reason, hold };
  },
  'POST /api/terms/:term_id/openings': async (given) => {
    const { body, url, preview, hold } = await heldOpening(given);
    const { fingerprint } = preview;
    const opened = await given.admin.post(url, { ...body, fingerprint });
    const left = opened.status === 201 && Object(opened.body).opening.students === 1;
    return { told: left ? hold : opened.text, hold };
  },
  'POST /api/openings/:opening_id/undo': null,
  // No call of these adds somebody to a list.
  'PUT /api/sheets/:sheet_id': null,
  'DELETE /api/sheets/:sheet_id': null,
  'DELETE /api/sheets/:sheet_id/students/:student_id': null,
  'PUT /api/sheets/:sheet_id/attendance': null,
  'PUT /api/sheets/:sheet_id/teachers': null,
  'PUT /api/sheets/:sheet_id/cells': null,
  'PUT /api/sheets/:sheet_id/rows/:student_id': null,
  'PUT /api/sheets/:sheet_id/rows/:student_id/condone': null,
  'PUT /api/sheets/:sheet_id/rows/:student_id/registration': null,
  'PUT /api/sheets/:sheet_id/boundaries': null,
  'POST /api/sheets/:sheet_id/boundaries/propose': null,
  'POST /api/sheets/:sheet_id/submit': null,
  'POST /api/sheets/:sheet_id/take-back': null,
  'POST /api/sheets/:sheet_id/confirm': null,
  'POST /api/sheets/:sheet_id/remaining': null,
  // Has the students of its sheet.
  'POST /api/sheets/:sheet_id/rectify': null,
  'POST /api/terms': null,
  'PUT /api/terms/:term_id': null,
  'DELETE /api/terms/:term_id': null,
  'POST /api/result-notifications': null,
  // Brings back those who were registered before.
  'POST /api/history/:entry/restore': null,
};

const MAKES_PAPERS = /^GET .*\.(?:pdf|zip)$/;
const CHANGES_LISTS =
  /^(?!GET )\w+ \/api\/(?:documents|sheets|terms|openings|result-notifications|history)\b/;

describe('the calls that may issue papers or register students', () => {
  test('are all looked at for holds', () => {
    const found = Object.keys(allCalls).filter((key) => MAKES_PAPERS.test(key) || CHANGES_LISTS.test(key));
    expect(found.toSorted()).toEqual(Object.keys(ASKS).toSorted());
  });
});

describe.each(sharedApps())('a student on hold, on $name', ({ test: appTest }) => {
  appTest.for(Object.entries(ASKS).flatMap(([key, ask]) => (ask === null ? [] : [[key, ask] as const])))(
    'is named, or left out, by %s',
    async ([, ask], { app, admin, staff }) => {
      const { told, hold } = await ask({ app, admin, staff });
      expect(told).toBe(hold);
    },
  );
});
