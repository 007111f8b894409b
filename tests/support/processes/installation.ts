import sharp from 'sharp';
import { documentsCreatedReply } from '../../../src/contract/documents/documents.ts';
import { openingPreview } from '../../../src/contract/marksheets/openings.ts';
import { termSavedReply } from '../../../src/contract/terms.ts';
import { recordChange } from '../../../src/server/history/record-change.ts';
import { transact } from '../../../src/server/history/transaction.ts';
import { fillFaculty } from '../../../src/server/seed/fill-faculty.ts';
import { makePolicy } from '../app/grading-policies.ts';
import { aHold } from '../app/holds.ts';
import { importRows } from '../app/import-file.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  nameTeachers,
  ONE_COMPONENT,
  submitSheet,
} from '../app/mark-sheets.ts';
import { addScheme, aRow } from '../app/schemes.ts';
import { type Person, TestApp } from '../app/test-app.ts';
import type { Engine, TestDatabase } from '../database/engines.ts';
import { aCourse, aFamily, aSemester, aStudent, aTerm } from '../records.ts';

export interface Installation {
  database: TestDatabase;
  admin: Person;
  /** A deleted student, who had the results entered last. */
  deleted: string;
  /** The URL of a portrait. */
  portrait: string;
  course: number;
}

const installations = new Map<Engine, Promise<Installation>>();

/** A small faculty with rows in every table, and its accounts. The database is not open. */
export async function createInstallation(engine: Engine): Promise<Installation> {
  const installation = installations.get(engine) ?? makeInstallation(engine);
  installations.set(engine, installation);
  const made = await installation;
  return { ...made, database: await engine.prepare({ copyOf: made.database }) };
}

/** Created once per worker and copied for each test; removed with the files of the run. */
async function makeInstallation(engine: Engine): Promise<Installation> {
  const database = await engine.prepare({ isMade: true });
  const app = await TestApp.open(engine, { database });
  try {
    await fillFaculty(app.db.write, { students: 40, seed: 5, intakes: 6 });
    const admin = await app.register({ name: 'Zoë "Admin" محمد 🎓' });
    const portrait = await enterWithPortrait(admin);

    const deleted = aStudent({ id: 'GONE', reason: 'A long story. '.repeat(300).slice(0, 200) });
    const calls: [string, string, unknown][] = [
      ['POST', '/api/students', deleted],
      ['POST', '/api/students/family', aFamily('GONE')],
      ...[1, 2].map((semester): [string, string, unknown] => [
        'POST',
        '/api/students/academics',
        aSemester('GONE', semester, [{ title: 'Statics', credits: 3, grade: 'B+' }]),
      ]),
      ['DELETE', '/api/students/GONE', undefined],
      ['POST', '/api/terms', aTerm()],
      [
        'PUT',
        '/api/institution',
        { name: 'Rohtas College', signatories: [{ name: 'Z. Ali', title: 'Dean' }] },
      ],
      ['POST', '/api/views', { name: 'Low', view: { cgpa_below: 2 } }],
    ];
    const course = aCourse();
    calls.push(['POST', '/api/courses', course]);
    for (const marks of ['1,2,3', '4,5,6,7']) {
      calls.push(['POST', '/api/courses-marks', { course_id: course.course_id, marks }]);
    }
    for (const [i, [method, url, body]] of calls.entries()) {
      const answer = await admin.call(method, url, { body, headers: { 'idempotency-key': `call-${i}` } });
      if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
    }
    const move = { action: 'syndicate', syn: 'C', filter: {} };
    const preview = await admin.post('/api/students/bulk/preview', move);
    const { fingerprint } = preview.body as { fingerprint: string };
    const moved = await admin.post('/api/students/bulk', { ...move, fingerprint });
    if (moved.status !== 201) throw new Error(moved.text);
    const imported = { 'Course ID': 7, Abbreviation: 'ME-7', Title: 'Statics' };
    const mapping = { course_id: 0, course_code: 1, course_name: 2 };
    await importRows(admin, 'courses', [imported], { mapping });
    await issueDocuments(app, admin);
    await confirmClass(app, admin);
    await keepScheme(admin);
    await openTerm(admin);
    await makePolicy(admin, { degrees: ['99'], rules: { probation_cgpa: 1.8 } });
    await app.call('POST', '/api/login', { body: { email: admin.user.email, password: 'not it' } });
    for (const table of ['password_resets', 'email_verifications'] as const) {
      const expires_at = '2999-01-01T00:00:00.000Z';
      await app.db.write
        .insertInto(table)
        .values({ token_hash: 'a'.repeat(64), user_id: admin.user.id, expires_at })
        .execute();
    }
    // Not confirmed: the administrator still signs in with the password alone.
    const begun_at = new Date().toISOString();
    await app.db.write
      .insertInto('second_factors')
      .values({ user_id: admin.user.id, secret: 'JBSWY3DPEHPK3PXP', begun_at, failures: 0 })
      .execute();
    await app.db.write
      .insertInto('recovery_codes')
      .values({ code_hash: 'b'.repeat(64), user_id: admin.user.id })
      .execute();
    const issuer = 'https://id.example';
    await transact(app.db.write, async (tx) => {
      await tx
        .insertInto('identities')
        .values({ issuer, subject: 's', user_id: admin.user.id, linked_at: begun_at })
        .execute();
      await recordChange(tx, admin.user, {
        ...{ action: 'update', entity: 'user', entityId: admin.user.id },
        ...{ before: {}, after: { linked_to: issuer } },
      });
    });
    return { database, admin, deleted: 'GONE', portrait, course: course.course_id };
  } finally {
    await app.close();
  }
}

/**
 * A class of two students with a confirmed mark sheet, whose results are notified, and a draft that rectifies it; and the draft of
 * another course that one of them was taken off.
 */
async function confirmClass(app: TestApp, admin: Person): Promise<void> {
  // Students with an entry in the history.
  const own = { ...(await aClass({ app, admin }, 0)), degree: '99' };
  for (const id of ['M1', 'M2']) {
    const student = aStudent({ id, department: 'CE', degree: own.degree, current_sem: 1 });
    const answer = await admin.post('/api/students', student);
    if (answer.status !== 201) throw new Error(answer.text);
  }
  const sheet = await fillSheet(admin, await createSheet(admin, own), [70, 'A']);
  await submitSheet(admin, sheet);
  await confirmSheet(admin, sheet);
  const calls: [string, object][] = [
    ['/api/result-notifications', { ...own, department: 'CE', semester: 1 }],
    [`/api/sheets/${sheet.sheet_id}/rectify`, { kind: 'missing-script', reason: 'The script was found' }],
  ];
  for (const [url, body] of calls) {
    const answer = await admin.post(url, body);
    if (answer.status !== 201) throw new Error(answer.text);
  }
  const other = { ...(await aClass({ app, admin }, 0)), degree: own.degree };
  const draft = await fillSheet(admin, await createSheet(admin, other), [60, 50]);
  await nameTeachers(admin, draft, [admin]);
  const removed = await admin.delete(`/api/sheets/${draft.sheet_id}/students/M2`);
  if (removed.status !== 200) throw new Error(removed.text);
}

/** A scheme of the batch of {@link confirmClass}, with a waiver, a hold, credits from elsewhere, and two courses that count as one. */
async function keepScheme(admin: Person): Promise<void> {
  const courses = [aCourse(), aCourse()];
  for (const course of courses) {
    const answer = await admin.post('/api/courses', course);
    if (answer.status !== 201) throw new Error(answer.text);
  }
  const [first, second] = courses.map(({ course_id }) => course_id);
  await addScheme(admin, ['99'], [aRow([Number(first)], { key: 'A' }), aRow([Number(second)], { key: 'B' })]);
  const pair = { course_id: first, other_id: second, degrees: ['99'] };
  const preview = await admin.post('/api/equivalents/preview', pair);
  const { fingerprint } = preview.body as { fingerprint: string };
  const credit = { title: 'Physics', credits: 3, institution: 'UET Lahore', grade: 'B+', row: null };
  const calls: [string, object][] = [
    ['/api/equivalents', { ...pair, fingerprint }],
    ['/api/students/M1/exceptions', { row: 'A', course_id: null, reason: 'Passed an entry test in it' }],
    ['/api/students/M1/outside-credits', credit],
    ['/api/students/M1/holds', aHold({ blocks: ['certificate'] })],
  ];
  for (const [url, body] of calls) {
    const answer = await admin.post(url, body);
    if (answer.status !== 201) throw new Error(answer.text);
  }
}

/** The next term, opened for the class of {@link keepScheme}. */
async function openTerm(admin: Person): Promise<void> {
  const term = await admin.post('/api/terms', aTerm());
  if (term.status !== 201) throw new Error(term.text);
  const path = `/api/terms/${termSavedReply.parse(term.body).term.term_id}/openings`;
  const body = {
    classes: [{ department: 'CE', degree: '99', semester: 1, syn: [] }],
    choices: [],
    categories: ONE_COMPONENT,
  };
  const preview = await admin.post(`${path}/preview`, body);
  if (preview.status !== 200) throw new Error(preview.text);
  const { fingerprint } = openingPreview.parse(preview.body);
  const opened = await admin.post(path, { ...body, fingerprint });
  if (opened.status !== 201) throw new Error(opened.text);
}

/** Two documents in the register, with their key, batch and files, of which the second was revoked. */
async function issueDocuments(app: TestApp, admin: Person): Promise<void> {
  const { student_id } = await app.db.read
    .selectFrom('semesters')
    .select('student_id')
    .orderBy('student_id')
    .executeTakeFirstOrThrow();
  const order = { kind: 'transcript', official: true, ids: [student_id], to: 'Embassy' };
  for (const isRevoked of [false, true]) {
    const issued = await admin.post('/api/documents', order);
    if (issued.status !== 201) throw new Error(issued.text);
    const { documents } = documentsCreatedReply.parse(issued.body);
    if (!isRevoked) continue;
    const reason = 'Printed with a wrong address';
    const revoked = await admin.post(`/api/documents/${documents[0]?.serial}/revoke`, { reason });
    if (revoked.status !== 200) throw new Error(revoked.text);
  }
}

async function enterWithPortrait(admin: Person): Promise<string> {
  const form = new FormData();
  for (const [field, value] of Object.entries(aStudent())) form.set(field, String(value ?? ''));
  const picture = sharp({ create: { width: 90, height: 120, channels: 3, background: '#0a5' } });
  form.set('img', new Blob([Uint8Array.from(await picture.jpeg().toBuffer())]), 'portrait.jpg');
  const answer = await admin.call('POST', '/api/students', { form });
  const { student } = answer.body as { student?: { img: string } };
  if (student === undefined) throw new Error(answer.text);
  return student.img;
}
