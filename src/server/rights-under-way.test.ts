import { TOTP } from 'otpauth';
import sharp from 'sharp';
import { describe, expect, vi } from 'vitest';
import { z } from 'zod';
import { runBeforeTransaction } from '../../tests/support/app/before-transaction.ts';
import { aHold, placeHold } from '../../tests/support/app/holds.ts';
import { importRows, prepareImport, toCsv, uploadFile } from '../../tests/support/app/import-file.ts';
import {
  aClass,
  aSheetFor,
  confirmSheet,
  createSheet,
  fillSheet,
  ONE_COMPONENT,
  submitSheet,
} from '../../tests/support/app/mark-sheets.ts';
import type { Call } from '../../tests/support/app/people.ts';
import { addDraft, addScheme, addStudent, aRow, previewOf } from '../../tests/support/app/schemes.ts';
import { type Person, sharedApp, sharedApps, type TestApp } from '../../tests/support/app/test-app.ts';
import {
  aCourse,
  aFamily,
  aSemester,
  aStudent,
  aTerm,
  INSTITUTION,
  unique,
} from '../../tests/support/records.ts';
import type { PendingReason } from '../contract/accounts/accounts.ts';
import { sessionListReply } from '../contract/accounts/sessions.ts';
import { secondFactorConfirmedReply, secondFactorSetupReply } from '../contract/accounts/sign-in.ts';
import { documentsCreatedReply } from '../contract/documents/documents.ts';
import { policyPreview } from '../contract/grading/policies.ts';
import { historyReply } from '../contract/history.ts';
import { importUndoPreview } from '../contract/imports.ts';
import { institutionInput } from '../contract/installation/institution.ts';
import { confirmPreview } from '../contract/marksheets/confirmation.ts';
import { checksReply } from '../contract/marksheets/grading.ts';
import { openingPreview, openingReply, openingUndo } from '../contract/marksheets/openings.ts';
import { exceptionReply, outsideCreditReply } from '../contract/schemes/audit.ts';
import { equivalentPreview, equivalentReply } from '../contract/schemes/equivalents.ts';
import { academicCreatedReply, academicDeletedReply } from '../contract/students/academics.ts';
import { bulkPreview, bulkReply } from '../contract/students/bulk.ts';
import { viewSavedReply } from '../contract/students/saved-views.ts';
import { termSavedReply } from '../contract/terms.ts';
import type { Tx } from './db/schema.ts';
import { transact } from './history/transaction.ts';
import { updateInstitution } from './institution/institution.ts';

/** Calls that change nothing, need no sign-in, or only end their own session. */
const CHANGES_NOTHING =
  /^(GET .*|POST \/api\/(register|login|forgot-password|reset-password|accept-invitation|verify|verify-email|resend-verification|logout|students\/bulk\/preview|documents\/preview|policies\/preview|equivalents\/preview|terms\/\{term_id\}\/openings\/preview|students\/\{id\}\/change-id\/preview|courses-marks\/sheet|sheets\/\{sheet_id\}\/(boundaries\/propose|students\/preview)|exports\/.*))$/;

/** A call that would succeed, and whether it requires an administrator. */
interface Prepared extends Omit<Call, 'token'> {
  url: string;
  onlyAdmin?: true;
  /** Takes seconds, so it is sent for one loss only. That it succeeds is tested with the seed. */
  isSlow?: true;
}

type Prepare = (by: Person, app: TestApp) => Promise<Prepared>;

const createStudent = async (by: Person) => {
  const student = aStudent();
  expect((await by.post('/api/students', student)).status).toBe(201);
  return student;
};

/** Official documents need its name. */
const nameInstitution = ({ db }: TestApp) =>
  transact(db.write, (tx) =>
    updateInstitution(tx, { id: null, name: 'Test' }, institutionInput.parse(INSTITUTION), undefined),
  );

const createWholeStudent = async (by: Person) => {
  const student = await createStudent(by);
  expect((await by.post('/api/students/family', aFamily(student.id))).status).toBe(201);
  const semester = await by.post('/api/students/academics', aSemester(student.id, 1, []));
  return { student, semester: academicCreatedReply.parse(semester.body).academic };
};
const createCourse = async (by: Person) => {
  const course = aCourse();
  expect((await by.post('/api/courses', course)).status).toBe(201);
  return course;
};
const anImportedCourse = () => {
  const { course_id, course_code, course_name } = aCourse();
  return { course_id, course_code, course_name };
};
const addTerm = async (by: Person) => termSavedReply.parse((await by.post('/api/terms', aTerm())).body).term;
const draftSheet = async (by: Person, app: TestApp) =>
  fillSheet(by, await createSheet(by, await aClass({ app, admin: by }, 1)), [70]);
/** Submits it as somebody else than who is to confirm it. */
const submittedSheet = async (by: Person, app: TestApp) => {
  const sheet = await draftSheet(by, app);
  await submitSheet(await app.register(), sheet);
  return sheet;
};
const confirmedSheet = async (by: Person, app: TestApp) => confirmSheet(by, await submittedSheet(by, app));
const saveView = async (by: Person) => {
  const answer = await by.post('/api/views', { name: `View ${Math.random()}`, view: {} });
  return viewSavedReply.parse(answer.body).view;
};
const prepareBulk = async (by: Person) => {
  const { id } = await createStudent(by);
  const body = { action: 'syndicate', syn: 'C', ids: [id] };
  const { fingerprint } = bulkPreview.parse((await by.post('/api/students/bulk/preview', body)).body);
  return { ...body, fingerprint };
};
/** A published scheme of a batch of its own, with one student and the rows A and B. */
const publishScheme = async (by: Person) => {
  const degree = unique();
  const student = await addStudent(by, degree);
  const courses = [await createCourse(by), await createCourse(by)].map(({ course_id }) => course_id);
  const scheme = await addScheme(
    by,
    [degree],
    courses.map((id, i) => aRow([id], { key: 'AB'[i] })),
  );
  return { scheme, degree, student, courses };
};
const OPENED = { choices: [], categories: ONE_COMPONENT };
/** A class with a scheme, what its opening in a new term takes, and where to. */
const prepareOpening = async (by: Person) => {
  const { degree } = await publishScheme(by);
  const term = termSavedReply.parse((await by.post('/api/terms', aTerm())).body).term;
  const url = `/api/terms/${term.term_id}/openings`;
  const opening = { ...OPENED, classes: [{ department: 'CE', degree, semester: 1, syn: [] }] };
  const { fingerprint } = openingPreview.parse((await by.post(`${url}/preview`, opening)).body);
  return { url, body: { ...opening, fingerprint } };
};
const draftScheme = async (by: Person) => {
  const degree = unique();
  await addStudent(by, degree);
  return addDraft(by, [degree], [aRow([(await createCourse(by)).course_id])]);
};
const REASON = 'Agreed by the board';
const OUTSIDE = { title: 'Physics', credits: 3, institution: 'UET Lahore', grade: null, row: null };
const addOutsideCredit = async (by: Person) => {
  const path = `/api/students/${(await createStudent(by)).id}/outside-credits`;
  const { outside_credit } = z
    .object({ outside_credit: outsideCreditReply })
    .parse((await by.post(path, OUTSIDE)).body);
  return `${path}/${outside_credit.outside_id}`;
};
/** Two courses that nobody has taken. */
const prepareEquivalent = async (by: Person) => {
  const [one, other] = [await createCourse(by), await createCourse(by)];
  const pair = { course_id: one.course_id, other_id: other.course_id, degrees: null };
  const { fingerprint } = equivalentPreview.parse((await by.post('/api/equivalents/preview', pair)).body);
  return { ...pair, fingerprint };
};
const registerOther = (app: TestApp) => app.register();
const generateCode = (secret: string) => new TOTP({ secret }).generate();

/** Every call that changes data, with a function that prepares one that succeeds. */
const WRITES: Readonly<Record<string, Prepare>> = {
  'POST /api/students': async () => ({ url: '/api/students', body: aStudent() }),
  'PUT /api/students/{id}': async (by) => {
    const student = await createStudent(by);
    return { url: `/api/students/${student.id}`, body: { ...student, first_name: 'Hina' } };
  },
  'PUT /api/students/{id}/id': async (by) => ({
    url: `/api/students/${(await createStudent(by)).id}/id`,
    body: { id: aStudent().id },
    onlyAdmin: true,
  }),
  'PUT /api/students/{id}/status': async (by) => ({
    url: `/api/students/${(await createStudent(by)).id}/status`,
    body: { status: 'graduated' },
  }),
  'DELETE /api/students/{id}': async (by) => ({ url: `/api/students/${(await createStudent(by)).id}` }),
  'POST /api/students/{id}/restore': async (by) => {
    const { id } = await createStudent(by);
    await by.delete(`/api/students/${id}`);
    return { url: `/api/students/${id}/restore`, onlyAdmin: true };
  },
  'POST /api/students/family': async (by) => ({
    url: '/api/students/family',
    body: aFamily((await createStudent(by)).id),
  }),
  'PUT /api/students/{id}/family': async (by) => {
    const { id } = (await createWholeStudent(by)).student;
    return { url: `/api/students/${id}/family`, body: aFamily(id, { father_name: 'Other' }) };
  },
  'POST /api/students/{id}/entry-semester': async (by) => ({
    url: `/api/students/${(await createStudent(by)).id}/entry-semester`,
    body: { semester: 2 },
  }),
  'POST /api/students/academics': async (by) => ({
    url: '/api/students/academics',
    body: aSemester((await createWholeStudent(by)).student.id, 2, []),
  }),
  'PUT /api/students/academics/{academic_id}': async (by) => {
    const { student, semester } = await createWholeStudent(by);
    const body = aSemester(student.id, 1, [{ title: 'Statics', credits: 3, grade: 'A' }]);
    return { url: `/api/students/academics/${semester.academic_id}`, body };
  },
  'DELETE /api/students/academics/{academic_id}': async (by) => ({
    url: `/api/students/academics/${(await createWholeStudent(by)).semester.academic_id}`,
  }),
  'POST /api/students/{id}/academics/restore': async (by) => {
    const { student, semester } = await createWholeStudent(by);
    const deleted = await by.delete(`/api/students/academics/${semester.academic_id}`);
    const { entry } = academicDeletedReply.parse(deleted.body);
    return { url: `/api/students/${student.id}/academics/restore?entry=${entry}` };
  },
  'POST /api/students/bulk': async (by) => ({ url: '/api/students/bulk', body: await prepareBulk(by) }),
  'POST /api/students/bulk/{id}/undo': async (by) => {
    const done = await by.post('/api/students/bulk', await prepareBulk(by));
    return { url: `/api/students/bulk/${bulkReply.parse(done.body).change.id}/undo` };
  },
  'POST /api/courses': async () => ({ url: '/api/courses', body: aCourse() }),
  'PUT /api/courses/{course_id}': async (by) => {
    const course = await createCourse(by);
    return { url: `/api/courses/${course.course_id}`, body: { ...course, course_name: 'Statics' } };
  },
  'DELETE /api/courses/{course_id}': async (by) => ({
    url: `/api/courses/${(await createCourse(by)).course_id}`,
  }),
  'POST /api/courses-marks': async (by) => ({
    url: '/api/courses-marks',
    body: { course_id: (await createCourse(by)).course_id, marks: '50\n60' },
  }),
  'POST /api/terms': async () => ({ url: '/api/terms', body: aTerm(), onlyAdmin: true }),
  'PUT /api/terms/{term_id}': async (by) => ({
    url: `/api/terms/${(await addTerm(by)).term_id}`,
    body: aTerm(),
    onlyAdmin: true,
  }),
  'DELETE /api/terms/{term_id}': async (by) => ({
    url: `/api/terms/${(await addTerm(by)).term_id}`,
    onlyAdmin: true,
  }),
  'POST /api/schemes': async (by) => {
    const degree = unique();
    await addStudent(by, degree);
    return {
      url: '/api/schemes',
      body: { name: 'BE Computer', department: 'CE', degrees: [degree] },
      onlyAdmin: true,
    };
  },
  'PUT /api/schemes/{scheme_id}': async (by) => {
    const { scheme_id, department, degrees, rows } = await draftScheme(by);
    return {
      url: `/api/schemes/${scheme_id}`,
      body: { name: 'Renamed', department, degrees, rows },
      onlyAdmin: true,
    };
  },
  'DELETE /api/schemes/{scheme_id}': async (by) => ({
    url: `/api/schemes/${(await draftScheme(by)).scheme_id}`,
    onlyAdmin: true,
  }),
  'POST /api/schemes/{scheme_id}/publish': async (by) => {
    const scheme = await draftScheme(by);
    const { fingerprint } = await previewOf(by, scheme);
    return { url: `/api/schemes/${scheme.scheme_id}/publish`, body: { fingerprint }, onlyAdmin: true };
  },
  'POST /api/students/{id}/exceptions': async (by) => ({
    url: `/api/students/${(await publishScheme(by)).student}/exceptions`,
    body: { row: 'A', course_id: null, reason: REASON },
    onlyAdmin: true,
  }),
  'DELETE /api/students/{id}/exceptions/{exception_id}': async (by) => {
    const path = `/api/students/${(await publishScheme(by)).student}/exceptions`;
    const made = await by.post(path, { row: 'A', course_id: null, reason: REASON });
    const { exception } = z.object({ exception: exceptionReply }).parse(made.body);
    return {
      url: `${path}/${exception.exception_id}?reason=${encodeURIComponent(REASON)}`,
      onlyAdmin: true,
    };
  },
  'POST /api/students/{id}/outside-credits': async (by) => ({
    url: `/api/students/${(await createStudent(by)).id}/outside-credits`,
    body: OUTSIDE,
  }),
  'PUT /api/students/{id}/outside-credits/{outside_id}': async (by) => ({
    url: await addOutsideCredit(by),
    body: { ...OUTSIDE, title: 'Applied Physics' },
  }),
  'DELETE /api/students/{id}/outside-credits/{outside_id}': async (by) => ({
    url: await addOutsideCredit(by),
  }),
  'POST /api/students/{id}/holds': async (by) => ({
    url: `/api/students/${(await createStudent(by)).id}/holds`,
    body: aHold(),
  }),
  'POST /api/holds/{hold_id}/release': async (by) => ({
    url: `/api/holds/${(await placeHold(by, (await createStudent(by)).id)).hold_id}/release`,
    body: { reason: REASON },
    onlyAdmin: true,
  }),
  'POST /api/equivalents': async (by) => ({
    url: '/api/equivalents',
    body: await prepareEquivalent(by),
    onlyAdmin: true,
  }),
  'POST /api/equivalents/{equivalent_id}/removal': async (by) => {
    const made = await by.post('/api/equivalents', await prepareEquivalent(by));
    const { equivalent } = z.object({ equivalent: equivalentReply }).parse(made.body);
    const url = `/api/equivalents/${equivalent.equivalent_id}/removal`;
    const { fingerprint } = equivalentPreview.parse((await by.get(url)).body);
    return { url, body: { fingerprint }, onlyAdmin: true };
  },
  'POST /api/sheets': async (by, app) => ({
    url: '/api/sheets',
    body: aSheetFor(await aClass({ app, admin: by }, 1)),
  }),
  'PUT /api/sheets/{sheet_id}': async (by, app) => {
    const { sheet_id, categories } = await draftSheet(by, app);
    return { url: `/api/sheets/${sheet_id}`, body: { title: 'Renamed', credits: 4, categories } };
  },
  'DELETE /api/sheets/{sheet_id}': async (by, app) => ({
    url: `/api/sheets/${(await draftSheet(by, app)).sheet_id}`,
  }),
  'POST /api/sheets/{sheet_id}/students': async (by, app) => ({
    url: `/api/sheets/${(await draftSheet(by, app)).sheet_id}/students`,
    body: { ids: [(await createStudent(by)).id] },
  }),
  'DELETE /api/sheets/{sheet_id}/students/{student_id}': async (by, app) => {
    const { sheet_id, rows } = await draftSheet(by, app);
    return { url: `/api/sheets/${sheet_id}/students/${rows[0]?.student_id}` };
  },
  'PUT /api/sheets/{sheet_id}/teachers': async (by, app) => ({
    url: `/api/sheets/${(await draftSheet(by, app)).sheet_id}/teachers`,
    body: { ids: [(await registerOther(app)).user.id] },
  }),
  'PUT /api/sheets/{sheet_id}/rows/{student_id}/registration': async (by, app) => {
    const { sheet_id, rows } = await draftSheet(by, app);
    return {
      url: `/api/sheets/${sheet_id}/rows/${rows[0]?.student_id}/registration`,
      body: { reason: 'Agreed with the batch adviser' },
    };
  },
  'POST /api/terms/{term_id}/openings': async (by) => ({ ...(await prepareOpening(by)), onlyAdmin: true }),
  'POST /api/openings/{opening_id}/undo': async (by) => {
    const { url, body } = await prepareOpening(by);
    const { opening_id } = openingReply.parse(Object((await by.post(url, body)).body).opening);
    const undo = `/api/openings/${opening_id}/undo`;
    const { fingerprint } = openingUndo.parse((await by.get(undo)).body);
    return { url: undo, body: { fingerprint }, onlyAdmin: true };
  },
  'PUT /api/sheets/{sheet_id}/cells': async (by, app) => {
    const { sheet_id, rows, categories } = await draftSheet(by, app);
    const component_id = categories[0]?.components[0]?.component_id;
    const cell = { student_id: rows[0]?.student_id, component_id, value: 60, was: 70 };
    return { url: `/api/sheets/${sheet_id}/cells`, body: { cells: [cell] } };
  },
  'PUT /api/sheets/{sheet_id}/attendance': async (by, app) => {
    const { sheet_id, rows } = await draftSheet(by, app);
    const row = { student_id: rows[0]?.student_id, theory: { percent: 80 } };
    return { url: `/api/sheets/${sheet_id}/attendance`, body: { rows: [row] } };
  },
  'PUT /api/sheets/{sheet_id}/rows/{student_id}/condone': async (by, app) => {
    const { sheet_id, rows } = await draftSheet(by, app);
    const student_id = rows[0]?.student_id;
    const short = { student_id, theory: { percent: 60 } };
    await by.put(`/api/sheets/${sheet_id}/attendance`, { rows: [short] });
    return {
      url: `/api/sheets/${sheet_id}/rows/${student_id}/condone`,
      body: { reason: 'Ill for two weeks' },
    };
  },
  'PUT /api/sheets/{sheet_id}/rows/{student_id}': async (by, app) => {
    const { sheet_id, rows } = await draftSheet(by, app);
    return {
      url: `/api/sheets/${sheet_id}/rows/${rows[0]?.student_id}`,
      body: { status: 'withdrawn', reason: 'Left', semester: null },
    };
  },
  'PUT /api/sheets/{sheet_id}/boundaries': async (by, app) => ({
    url: `/api/sheets/${(await draftSheet(by, app)).sheet_id}/boundaries`,
    body: { method: 'absolute', boundaries: [90, 80, 70, 60, 50, 45, 40], reason: 'Agreed by the board' },
  }),
  'POST /api/sheets/{sheet_id}/submit': async (by, app) => {
    const { sheet_id } = await draftSheet(by, app);
    const { warnings } = checksReply.parse((await by.get(`/api/sheets/${sheet_id}/checks`)).body);
    const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board']));
    return { url: `/api/sheets/${sheet_id}/submit`, body: { reasons } };
  },
  'POST /api/sheets/{sheet_id}/take-back': async (by, app) => ({
    url: `/api/sheets/${(await submittedSheet(by, app)).sheet_id}/take-back`,
    body: { reason: 'A mark is wrong' },
  }),
  'POST /api/sheets/{sheet_id}/confirm': async (by, app) => {
    const url = `/api/sheets/${(await submittedSheet(by, app)).sheet_id}/confirm`;
    const { fingerprint } = confirmPreview.parse((await by.get(url)).body);
    return { url, body: { fingerprint }, onlyAdmin: true };
  },
  'POST /api/sheets/{sheet_id}/remaining': async (by, app) => {
    const sheet = await submittedSheet(by, app);
    const [id = ''] = sheet.rows.map(({ student_id }) => student_id);
    expect((await by.delete(`/api/students/${id}`)).status).toBe(200);
    await confirmSheet(by, sheet, [id]);
    const { entries } = historyReply.parse((await by.get(`/api/students/${id}/history`)).body);
    expect((await by.post(`/api/history/${entries[0]?.id}/restore?state=before`)).status).toBe(201);
    const url = `/api/sheets/${sheet.sheet_id}/remaining`;
    const { fingerprint } = confirmPreview.parse((await by.get(url)).body);
    return { url, body: { fingerprint }, onlyAdmin: true };
  },
  'POST /api/sheets/{sheet_id}/rectify': async (by, app) => ({
    url: `/api/sheets/${(await confirmedSheet(by, app)).sheet_id}/rectify`,
    body: { kind: 'totalling', reason: 'Question 4 was not added' },
  }),
  'POST /api/result-notifications': async (by, app) => {
    const { term_id, department, degree, semester } = await confirmedSheet(by, app);
    return {
      url: '/api/result-notifications',
      body: { term_id, department, degree, semester },
      onlyAdmin: true,
    };
  },
  'PUT /api/institution': async () => ({
    url: '/api/institution',
    body: { name: `College ${unique()}` },
    onlyAdmin: true,
  }),
  'POST /api/sample-data': async (_by, { db }) => {
    for (const table of ['students', 'courses'] as const) await db.write.deleteFrom(table).execute();
    return { url: '/api/sample-data', onlyAdmin: true, isSlow: true };
  },
  'POST /api/policies': async (by) => {
    const policy = { degrees: null, rules: { warning_sgpa: 1.9 } };
    const { fingerprint } = policyPreview.parse((await by.post('/api/policies/preview', policy)).body);
    return {
      url: '/api/policies',
      body: { name: `Policy ${unique()}`, ...policy, fingerprint },
      onlyAdmin: true,
    };
  },
  'POST /api/imports': async () => ({
    url: '/api/imports',
    body: { kind: 'courses', text: toCsv([anImportedCourse()]) },
  }),
  'POST /api/imports/{import_id}/preview': async (by) => ({
    url: `/api/imports/${(await uploadFile(by, 'courses', toCsv([anImportedCourse()]))).import_id}/preview`,
    body: { mapping: { course_id: 0, course_code: 1, course_name: 2 } },
  }),
  'POST /api/imports/{import_id}/apply': async (by) => {
    const { id, preview } = await prepareImport(by, 'courses', [anImportedCourse()]);
    return { url: `/api/imports/${id}/apply`, body: { fingerprint: preview.fingerprint } };
  },
  'POST /api/imports/{import_id}/cancel': async (by) => {
    const { id } = await prepareImport(by, 'courses', [anImportedCourse()]);
    return { url: `/api/imports/${id}/cancel` };
  },
  'POST /api/imports/{import_id}/undo': async (by) => {
    const { import_id } = await importRows(by, 'courses', [anImportedCourse()]);
    const url = `/api/imports/${import_id}/undo`;
    const { fingerprint } = importUndoPreview.parse((await by.get(url)).body);
    return { url, body: { fingerprint } };
  },
  'POST /api/documents': async (by, app) => {
    await nameInstitution(app);
    const { id } = (await createWholeStudent(by)).student;
    return { url: '/api/documents', body: { kind: 'transcript', official: true, ids: [id] } };
  },
  'POST /api/documents/batches/{batch_id}/cancel': async (by, app) => {
    const at = new Date().toISOString();
    const { batch_id } = await app.db.write
      .insertInto('document_batches')
      .values({
        ...{ kind: 'transcript', semester: null, is_official: 1, students: '[]', refused: '[]' },
        choices: JSON.stringify({
          ...{ kind: 'transcript', semester: null, official: true, portrait: false },
          ...{ purpose: null, to: null, site: 'http://localhost', printedBy: by.user.name },
        }),
        ...{ done: 0, of: 9, state: 'running', created_at: at, seen_at: at },
        ...{ user_id: by.user.id, user_name: by.user.name },
      })
      .returning('batch_id')
      .executeTakeFirstOrThrow();
    return { url: `/api/documents/batches/${batch_id}/cancel` };
  },
  'POST /api/documents/{serial}/revoke': async (by, app) => {
    await nameInstitution(app);
    const { id } = (await createWholeStudent(by)).student;
    const body = { kind: 'transcript', official: true, ids: [id] };
    const { documents } = documentsCreatedReply.parse((await by.post('/api/documents', body)).body);
    return {
      url: `/api/documents/${documents[0]?.serial}/revoke`,
      body: { reason: 'Forged' },
      onlyAdmin: true,
    };
  },
  'POST /api/views': async () => ({ url: '/api/views', body: { name: 'Mine', view: {} } }),
  'PUT /api/views/{id}': async (by) => ({
    url: `/api/views/${(await saveView(by)).id}`,
    body: { name: 'Renamed', view: {} },
  }),
  'DELETE /api/views/{id}': async (by) => ({ url: `/api/views/${(await saveView(by)).id}` }),
  'POST /api/history/{entry}/restore': async (by, { db }) => {
    const { id } = await createStudent(by);
    await by.delete(`/api/students/${id}`);
    const entry = await db.read
      .selectFrom('history')
      .select('id')
      .where('entity_id', '=', id)
      .where('action', '=', 'delete')
      .executeTakeFirstOrThrow();
    return { url: `/api/history/${entry.id}/restore?state=before`, onlyAdmin: true };
  },
  'PUT /api/users/{id}': async ({ password }, app) => {
    const { user } = await registerOther(app);
    const body = { ...user, role: 'admin', password };
    return { url: `/api/users/${user.id}`, body, onlyAdmin: true };
  },
  'PUT /api/users/{id}/picture': async ({ user }) => {
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c00' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('picture', new Blob([Uint8Array.from(picture)], { type: 'image/png' }), 'picture.png');
    return { url: `/api/users/${user.id}/picture`, form };
  },
  'PUT /api/users/{id}/lock': async ({ password }, app) => ({
    url: `/api/users/${(await registerOther(app)).user.id}/lock`,
    body: { locked: true, password },
    onlyAdmin: true,
  }),
  'POST /api/users/{id}/reset-second-factor': async ({ password }, app) => {
    const other = await registerOther(app);
    const setup = await other.post('/api/second-factor', { password: other.password });
    const { secret } = secondFactorSetupReply.parse(setup.body);
    expect((await other.post('/api/second-factor/confirm', { code: generateCode(secret) })).status).toBe(200);
    return { url: `/api/users/${other.user.id}/reset-second-factor`, body: { password }, onlyAdmin: true };
  },
  'POST /api/users/{id}/approve': async ({ password }, app) => ({
    url: `/api/users/${await createWaitingAccount(app)}/approve`,
    body: { password },
    onlyAdmin: true,
  }),
  'POST /api/users/{id}/reject': async ({ password }, app) => ({
    url: `/api/users/${await createWaitingAccount(app)}/reject`,
    body: { password },
    onlyAdmin: true,
  }),
  'POST /api/users/{id}/reset-link': async ({ password }, app) => ({
    url: `/api/users/${(await registerOther(app)).user.id}/reset-link`,
    body: { password },
    onlyAdmin: true,
  }),
  'POST /api/invitations': async ({ password }) => ({
    url: '/api/invitations',
    body: { name: 'Sana Malik', email: `${unique()}@faculty.example`, role: 'staff', password },
    onlyAdmin: true,
  }),
  'POST /api/users/{id}/invitation': async ({ password }, app) => ({
    url: `/api/users/${await createWaitingAccount(app, 'invitation')}/invitation`,
    body: { password },
    onlyAdmin: true,
  }),
  'DELETE /api/sessions': async (by, app) => {
    await app.signIn(by);
    return { url: '/api/sessions' };
  },
  'DELETE /api/sessions/{id}': async (by, app) => {
    await app.signIn(by);
    const sessions = sessionListReply.parse((await by.get('/api/sessions')).body);
    return { url: `/api/sessions/${sessions.find(({ current }) => !current)?.id}` };
  },
  'PUT /api/users/{id}/change-password': async (by) => ({
    url: `/api/users/${by.user.id}/change-password`,
    body: {
      old_password: by.password,
      password: 'eight dry umbrellas',
      password_confirmation: 'eight dry umbrellas',
    },
  }),
  'POST /api/second-factor': async ({ password }) => ({ url: '/api/second-factor', body: { password } }),
  'POST /api/second-factor/confirm': async (by) => {
    const setup = await by.post('/api/second-factor', { password: by.password });
    const { secret } = secondFactorSetupReply.parse(setup.body);
    return { url: '/api/second-factor/confirm', body: { code: generateCode(secret) } };
  },
  'POST /api/second-factor/remove': async (by, { db }) => {
    const setup = await by.post('/api/second-factor', { password: by.password });
    const { secret } = secondFactorSetupReply.parse(setup.body);
    const set = await by.post('/api/second-factor/confirm', { code: generateCode(secret) });
    expect(secondFactorConfirmedReply.parse(set.body).recovery_codes).not.toHaveLength(0);
    // A code is valid once, but the test repeats the call with the same code.
    await db.write.updateTable('second_factors').set({ last_step: 0 }).execute();
    return { url: '/api/second-factor/remove', body: { password: by.password, code: generateCode(secret) } };
  },
};

async function createWaitingAccount(app: TestApp, waiting_for: PendingReason = 'approval'): Promise<number> {
  const { id } = (await registerOther(app)).user;
  await app.db.write.updateTable('users').set({ waiting_for }).where('id', '=', id).execute();
  return id;
}

/** Ways to lose a right: how it is revoked, and the status of calls afterwards. */
const LOSSES: Readonly<
  Record<
    string,
    {
      status: number;
      onlyAdmin?: true;
      lose: (tx: Tx, by: Person) => Promise<unknown>;
    }
  >
> = {
  'a lock': {
    status: 401,
    lose: (tx, { user }) =>
      tx
        .updateTable('users')
        .set({ locked_at: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', user.id)
        .execute(),
  },
  'the end of the session': {
    status: 401,
    lose: (tx, { user }) => tx.deleteFrom('sessions').where('user_id', '=', user.id).execute(),
  },
  'the role of a viewer': {
    status: 403,
    lose: (tx, { user }) =>
      tx.updateTable('users').set({ role: 'viewer' }).where('id', '=', user.id).execute(),
  },
  'the role of staff': {
    status: 403,
    onlyAdmin: true,
    lose: (tx, { user }) =>
      tx.updateTable('users').set({ role: 'staff' }).where('id', '=', user.id).execute(),
  },
};

/** Every row that a call could store, except the counters of attempts, which refused calls increase too. */
async function readStoredRows({ db: { read } }: TestApp) {
  const tables = [
    ...([
      'users',
      'students',
      'families',
      'semesters',
      'semester_subjects',
      'courses',
      'course_marks',
      'terms',
      'institution',
      'policies',
    ] as const),
    ...(['schemes', 'equivalents', 'scheme_exceptions', 'outside_credits', 'holds'] as const),
    ...(['imports', 'import_rows', 'import_columns'] as const),
    ...(['signing_keys', 'document_batches', 'documents', 'document_files'] as const),
    ...(['sheets', 'sheet_rows', 'sheet_removed_rows', 'sheet_results', 'result_notifications'] as const),
    ...(['sheet_teachers', 'sheet_registrations', 'openings'] as const),
    ...(['saved_views', 'pictures', 'history', 'idempotency_keys', 'bulk_changes', 'sessions'] as const),
  ];
  const rows = await Promise.all(
    tables.map(async (table) => {
      const all = await read.selectFrom(table).selectAll().execute();
      return [table, all.map((row) => JSON.stringify(row)).sort()];
    }),
  );
  const factors = await read
    .selectFrom('second_factors')
    .select(['user_id', 'confirmed_at', 'secret'])
    .execute();
  return { ...Object.fromEntries(rows), factors };
}

async function listWritingCalls(app: TestApp): Promise<string[]> {
  const { paths } = (await app.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((call) => !CHANGES_NOTHING.test(call));
}

// Covers A39
sharedApp()('a right that is revoked is tested with every call that changes data', async ({ app }) => {
  expect((await listWritingCalls(app)).sort()).toEqual(Object.keys(WRITES).sort());
});

describe.each(sharedApps({ settings: { loginLimit: 1_000 } }))(
  'a right that is revoked during a call, on $name',
  ({ test }) => {
    // Covers A39
    test.for(Object.entries(WRITES))(
      'is missing for %s, which stores nothing',
      async ([call, prepare], { app, admin }) => {
        const by = await app.register();
        await app.giveRole(admin, by, 'admin');
        const { url, onlyAdmin, isSlow, ...rest } = await prepare(by, app);
        const send = () => by.call(call.split(' ')[0] ?? '', url, rest);
        const before = await readStoredRows(app);
        const account = await app.db.read
          .selectFrom('users')
          .selectAll()
          .where('id', '=', by.user.id)
          .executeTakeFirstOrThrow();
        const sessions = await app.db.read
          .selectFrom('sessions')
          .selectAll()
          .where('user_id', '=', by.user.id)
          .execute();
        for (const [lossName, { status, lose, ...loss }] of Object.entries(LOSSES)) {
          if ((loss.onlyAdmin && !onlyAdmin) || (isSlow && !loss.onlyAdmin)) continue;
          const spy = runBeforeTransaction(app, (tx) => lose(tx, by));
          const answer = await send();
          spy.mockRestore();
          expect(answer.status, `${lossName}: ${answer.text}`).toBe(status);
          const { id: _, ...columns } = account;
          await app.db.write.updateTable('users').set(columns).where('id', '=', by.user.id).execute();
          await app.db.write.deleteFrom('sessions').where('user_id', '=', by.user.id).execute();
          await app.db.write.insertInto('sessions').values(sessions).execute();
          await app.db.write.updateTable('second_factors').set({ last_step: 0 }).execute();
        }
        expect(await readStoredRows(app)).toEqual(before);
        if (isSlow) return;
        // With all rights the same call succeeds.
        const answer = await send();
        expect(answer.status, answer.text).toBeLessThan(300);
      },
    );

    // Covers A39
    test.for([
      [
        'role',
        403,
        (tx: Tx, id: number) => tx.updateTable('users').set({ role: 'viewer' }).where('id', '=', id),
      ],
      ['session', 401, (tx: Tx, id: number) => tx.deleteFrom('sessions').where('user_id', '=', id)],
    ] as const)(
      'is missing for a change that waited for the transaction that ends the %s',
      async ([, status, revoke], { app, admin }) => {
        const by = await app.register();
        const body = aStudent();
        const transactionSpy = vi.spyOn(app.db.write, 'transaction');
        let saved: Promise<{ status: number }> | undefined;
        await app.db.write.transaction().execute(async (tx) => {
          await revoke(tx, by.user.id).execute();
          transactionSpy.mockClear();
          saved = by.post('/api/students', body);
          // The call is authorised with the old rights, since the change is not committed yet.
          await vi.waitFor(() => expect(transactionSpy).toHaveBeenCalled());
        });
        transactionSpy.mockRestore();
        expect((await saved)?.status).toBe(status);
        expect((await admin.get(`/api/students/${body.id}/base`)).status).toBe(404);
      },
    );
  },
);
