import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { holdsOf, placeHold, releaseHold } from '../../../../tests/support/app/holds.ts';
import { addCourses, addStudent, refusedFields } from '../../../../tests/support/app/schemes.ts';
import { freshApps, type Person, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { holdTransaction, waitUntilBlocked } from '../../../../tests/support/database/open-transaction.ts';
import { INSTITUTION, unique } from '../../../../tests/support/records.ts';
import {
  documentBatch,
  documentsCreatedReply,
  documentsPreview,
  registerReply,
} from '../../../contract/documents/documents.ts';
import { verificationReply } from '../../../contract/documents/verification.ts';
import { lockStudent } from '../../students/queries.ts';

const TRANSCRIPT = { kind: 'transcript', official: true };
const CARD = { kind: 'result-card', semester: 1 };
const RESULTS = [[[1, 'A']]] as const;
const REASON = 'The embassy closes tomorrow, the dean agreed.';

async function prepare(admin: Person) {
  await admin.put('/api/institution', INSTITUTION);
  await addCourses(admin, { 'X-1': 1 });
}

const order = (by: Person, body: object) => by.post('/api/documents', body);
async function issue(by: Person, body: object) {
  const made = await order(by, body);
  expect(made.status, made.text).toBe(201);
  return documentsCreatedReply.parse(made.body);
}
const preview = async (by: Person, body: object) =>
  documentsPreview.parse((await by.post('/api/documents/preview', body)).body);

async function waitForBatch(by: Person, batchId: number) {
  const url = `/api/documents/batches/${batchId}`;
  const read = async () => documentBatch.parse((await by.get(url)).body);
  await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe('done');
  return read();
}

const readCode = ({ db }: TestApp, serial: string) =>
  db.read.selectFrom('documents').select('code').where('serial', '=', serial).executeTakeFirstOrThrow();

describe.each(freshApps())('documents of students with a hold, on $name', ({ test }) => {
  // Example 18
  test('are left out of batches, and issued in spite of it one by one with a reason', async ({
    app,
    admin,
    staff,
  }) => {
    await prepare(admin);
    const degree = unique();
    const ids: string[] = [];
    for (let i = 0; i < 60; i += 1) ids.push(await addStudent(staff, degree, RESULTS));
    const [one = '', other = ''] = ids;
    const before = (await issue(staff, { ...TRANSCRIPT, ids: [one] })).documents[0]?.serial ?? '';
    const accounts = await app.register({ name: 'Accounts' });
    await app.giveRole(admin, accounts, 'staff');
    const hold = await placeHold(accounts, one, { from: '2026-11-02', blocks: ['official-documents'] });
    await placeHold(accounts, other, { from: '2026-11-02', blocks: ['official-documents', 'result-card'] });
    await placeHold(staff, other, { kind: 'library', from: '2026-11-03' });

    const whole = { ...TRANSCRIPT, filter: { degree } };
    const reason = 'fees, since 2026-11-02, Accounts';
    const refused = [
      expect.objectContaining({ student_id: one, reason, holds: [hold.hold_id] }),
      expect.objectContaining({
        student_id: other,
        reason: `${reason}; library, since 2026-11-03, ${staff.user.name}`,
      }),
    ];
    expect(await preview(staff, whole)).toMatchObject({ students: 58 });
    expect((await preview(staff, whole)).refused).toEqual(expect.arrayContaining(refused));
    const { batch_id } = await issue(staff, whole);
    const batch = await waitForBatch(staff, batch_id);
    expect(batch).toMatchObject({ documents: 58, progress: { done: 58, of: 58 } });
    expect(batch.refused).toHaveLength(2);
    expect(batch.refused).toEqual(expect.arrayContaining(refused));
    for (const format of ['pdf', 'zip'])
      expect((await staff.get(`/api/documents/batches/${batch_id}.${format}`)).status).toBe(200);

    // Alone, and what no hold blocks.
    expect(refusedFields(await order(admin, { ...TRANSCRIPT, ids: [one] }))).toEqual({
      ids: `${one}: ${reason}`,
    });
    await issue(staff, { ...TRANSCRIPT, official: false, ids: [one, other] });
    await issue(staff, { ...CARD, official: true, ids: [one] });
    for (const official of [true, false])
      expect(refusedFields(await order(staff, { ...CARD, official, ids: [other] }))).toEqual({
        ids: `${other}: ${reason}`,
      });
    // What was issued before.
    expect((await staff.get(`/api/documents/${before}.pdf`)).status).toBe(200);
    const { code } = await readCode(app, before);
    const verified = await app.call('GET', `/api/verify/${code}`);
    expect(verificationReply.parse(verified.body)).toMatchObject({ state: 'valid' });

    // In spite of it.
    const all = { ...TRANSCRIPT, override: REASON };
    expect((await order(staff, { ...all, ids: [other] })).status).toBe(403);
    expect(refusedFields(await order(admin, { ...all, override: 'Dean', ids: [other] }))).toEqual({
      override: 'The override must be at least 10 characters.',
    });
    const text = 'A hold is overridden for one paper of one student, named by ids.';
    expect(refusedFields(await order(admin, { ...all, ids: [one, other] }))).toEqual({ override: text });
    expect(refusedFields(await order(admin, { ...all, filter: { degree } }))).toEqual({ override: text });
    const { documents } = await issue(admin, { ...all, ids: [other] });
    const holds = (await holdsOf(staff, other)).map(({ hold_id }) => hold_id).toSorted((a, b) => a - b);
    const override = { reason: REASON, by: { id: admin.user.id, name: admin.user.name }, holds };
    const serial = documents[0]?.serial ?? '';
    expect(documents).toMatchObject([{ student_id: other, override }]);
    const listed = registerReply.parse((await staff.get(`/api/documents?student_id=${other}`)).body);
    expect(listed).toMatchObject([{ serial, override }]);
    expect(await holdsOf(staff, other)).toMatchObject([
      { overrides: [serial], version: 2, state: 'active' },
      { overrides: [serial], version: 2, state: 'active' },
    ]);
    // The hold goes on.
    expect((await order(staff, { ...TRANSCRIPT, ids: [other] })).status).toBe(422);
    expect((await releaseHold(admin, hold)).status).toBe(200);
    const free = await issue(admin, { ...all, ids: [one] });
    expect(free.documents).toMatchObject([{ override: null }]);
    expect(await findings(app)).toEqual([]);
  });

  test('are not issued by a hold that is placed meanwhile, the others are', async ({ app, admin, staff }) => {
    await prepare(admin);
    const degree = unique();
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) ids.push(await addStudent(staff, degree, RESULTS));
    const [first = '', second = ''] = ids.toSorted();
    // The row of the student is taken, so the papers wait for it once they are printed, and the hold is there before.
    const release = await holdTransaction(app.db.write, (tx) => lockStudent(tx, first));
    const placed = placeHold(staff, first);
    await waitUntilBlocked(app.db.read, 1);
    const issued = issue(staff, { ...TRANSCRIPT, ids: [first, second] });
    await waitUntilBlocked(app.db.read, 2);
    await release();
    const hold = await placed;
    expect(await issued).toMatchObject({
      documents: [{ student_id: second }],
      batch: { refused: [{ student_id: first, holds: [hold.hold_id] }] },
    });

    const { batch_id } = await issue(staff, { ...TRANSCRIPT, ids });
    const last = await placeHold(staff, ids.toSorted().at(-1) ?? '');
    const batch = await waitForBatch(staff, batch_id);
    expect(batch.refused.map(({ student_id }) => student_id)).toContain(first);
    expect(batch.documents + batch.refused.length).toBe(12);
    expect(last.state).toBe('active');
  });

  test('are not made anew from an earlier order of unofficial result cards', async ({ admin, staff }) => {
    await prepare(admin);
    const one = await addStudent(staff, '46', RESULTS);
    const card = { ...CARD, official: false };
    const { batch_id } = await issue(staff, { ...card, ids: [one] });
    const url = `/api/documents/batches/${batch_id}.pdf`;
    expect((await staff.get(url)).status).toBe(200);
    const hold = await placeHold(staff, one, { blocks: ['result-card'] });
    expect((await staff.get(url)).status).toBe(409);
    const over = await issue(admin, { ...card, ids: [one], override: REASON });
    expect((await staff.get(`/api/documents/batches/${over.batch_id}.pdf`)).status).toBe(200);
    expect((await releaseHold(admin, hold)).status).toBe(200);
    expect((await staff.get(url)).status).toBe(200);
  });
});
