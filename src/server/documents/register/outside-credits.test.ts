import { describe, expect } from 'vitest';
import { addCourses, addScheme, addStudent, aRow } from '../../../../tests/support/app/schemes.ts';
import { freshApps, type Person, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { readPdf } from '../../../../tests/support/read-pdf.ts';
import { INSTITUTION } from '../../../../tests/support/records.ts';
import { documentsCreatedReply, registerReply } from '../../../contract/documents/documents.ts';
import { ownCopyReply } from '../../../contract/documents/own-copy.ts';
import { verificationReply } from '../../../contract/documents/verification.ts';
import { equivalentPreview, equivalentReply } from '../../../contract/schemes/equivalents.ts';
import { readContent } from '../content/content.ts';
import { readCode } from '../verification/code.ts';

const CREDIT = { title: 'Applied Physics', credits: 4, institution: 'UET Lahore', grade: 'B+', row: null };

async function issue(by: Person, id: string, changes: object = {}): Promise<string> {
  const answer = await by.post('/api/documents', {
    kind: 'transcript',
    official: true,
    ids: [id],
    ...changes,
  });
  expect(answer.status, answer.text).toBe(201);
  return documentsCreatedReply.parse(answer.body).documents[0]?.serial ?? '';
}

const findDocument = ({ db }: TestApp, serial: string) =>
  db.read.selectFrom('documents').selectAll().where('serial', '=', serial).executeTakeFirstOrThrow();

const verify = async (app: TestApp, code: string) =>
  verificationReply.parse((await app.call('GET', `/api/verify/${code}`)).body);

const stateOf = async (by: Person, serial: string) =>
  registerReply.parse((await by.get(`/api/documents?serial=${serial}`)).body)[0]?.state;

const readText = async ({ app }: TestApp, by: Person, url: string) => {
  const { rawPayload } = await app.inject({ url, headers: { authorization: `Bearer ${by.token}` } });
  return (await readPdf(rawPayload)).pages.join(' ').replaceAll(/\s+/g, ' ');
};

describe.each(freshApps())('documents of students with credits from elsewhere, on $name', ({ test }) => {
  test('state them on transcripts, in the signed code and to whoever verifies it', async ({
    app,
    admin,
    staff,
  }) => {
    await admin.put('/api/institution', INSTITUTION);
    await addCourses(admin, { 'X-1': 1, 'X-2': 2 });
    const id = await addStudent(staff, '46', [[[1, 'A']], [[2, 'B']]]);
    const before = await issue(staff, id);
    const path = `/api/students/${id}/outside-credits`;
    const added = await staff.post(path, CREDIT);
    expect(added.status, added.text).toBe(201);
    expect(await stateOf(staff, before)).toBe('superseded');

    const [transcript, card] = [
      await issue(staff, id),
      await issue(staff, id, { kind: 'result-card', semester: 2 }),
    ];
    const { code, hand_code } = await findDocument(app, transcript);
    expect(readCode(code)?.summary.credits).toBe(10);
    for (const one of [code, `${transcript}.${hand_code}`])
      expect(await verify(app, one)).toMatchObject({ state: 'valid', credits: 10, cgpa: 3.5 });
    const text = await readText(app, staff, `/api/documents/${transcript}.pdf`);
    expect(text).toContain('Credits from elsewhere');
    expect(text).toContain('Applied Physics, UET Lahore, grade B+, 4 credits');
    expect(text).toContain('10 credits in all: 6 earned here and 4 from elsewhere');
    const ofCard = await findDocument(app, card);
    expect(readCode(ofCard.code)?.summary.credits).toBe(6);
    expect(await readText(app, staff, `/api/documents/${card}.pdf`)).not.toContain('Applied Physics');

    const { outside_id } = (added.body as { outside_credit: { outside_id: number } }).outside_credit;
    expect((await staff.put(`${path}/${outside_id}`, { ...CREDIT, credits: 3 })).status).toBe(200);
    expect(await stateOf(staff, transcript)).toBe('superseded');
    expect(await verify(app, code)).toMatchObject({ state: 'superseded', credits: 10 });
    expect(await stateOf(staff, card)).toBe('valid');
    expect((await staff.put(`${path}/${outside_id}`, CREDIT)).status).toBe(200);
    expect(await stateOf(staff, transcript)).toBe('valid');
    // The row that they fill stands on no document.
    await addScheme(admin, ['46'], [aRow([1], { key: 'A' }), aRow([2], { key: 'B' })]);
    expect((await staff.put(`${path}/${outside_id}`, { ...CREDIT, row: 'B' })).status).toBe(200);
    expect(await stateOf(staff, transcript)).toBe('valid');
  });

  test('have them, and exceptions, in the copy for the student', async ({ app, admin, staff }) => {
    await addCourses(admin, { 'X-1': 1 });
    const id = await addStudent(staff, '46');
    await addScheme(admin, ['46'], [aRow([1], { key: 'A' })]);
    const reason = 'Exempted by the faculty board.';
    const waived = await admin.post(`/api/students/${id}/exceptions`, { row: 'A', course_id: null, reason });
    expect(waived.status, waived.text).toBe(201);
    expect((await staff.post(`/api/students/${id}/outside-credits`, CREDIT)).status).toBe(201);
    const answer = await admin.get(`/api/students/${id}/own-copy`);
    expect(ownCopyReply.parse(answer.body)).toMatchObject({
      exceptions: [{ row: 'A', course_id: null, reason }],
      outside_credits: [CREDIT],
    });
    expect(answer.text).not.toContain(admin.user.name);
    const text = await readText(app, admin, `/api/students/${id}/own-copy.pdf`);
    for (const part of [reason, 'Applied Physics', 'UET Lahore']) expect(text).toContain(part);
  });

  test('are superseded by two courses that count as one, whose attempts are repeats then', async ({
    app,
    admin,
    staff,
  }) => {
    await admin.put('/api/institution', INSTITUTION);
    await addCourses(admin, { 'X-1': 1, 'X-2': 2, 'X-3': 3 });
    const id = await addStudent(staff, '46', [[[1, 'C']], [[2, 'B']]]);
    const other = await addStudent(staff, '46', [[[1, 'C']], [[3, 'B']]]);
    const [own, others] = [await issue(staff, id), await issue(staff, other)];
    const pair = { course_id: 1, other_id: 2, degrees: null };
    const preview = await admin.post('/api/equivalents/preview', pair);
    const { fingerprint } = equivalentPreview.parse(preview.body);
    const joined = await admin.post('/api/equivalents', { ...pair, fingerprint });
    expect(joined.status, joined.text).toBe(201);
    expect([await stateOf(staff, own), await stateOf(staff, others)]).toEqual(['superseded', 'valid']);
    const { content } = await findDocument(app, await issue(staff, id));
    const { figures } = readContent(content);
    expect(
      figures.semesters.map(({ subjects: [subject] }) => [subject?.repeats, subject?.repeated_in]),
    ).toEqual([
      [null, 2],
      [1, null],
    ]);
    expect(figures.credits_earned).toBe(3);

    const { equivalent_id } = equivalentReply.parse((joined.body as { equivalent: unknown }).equivalent);
    const path = `/api/equivalents/${equivalent_id}/removal`;
    const removal = equivalentPreview.parse((await admin.get(path)).body);
    expect((await admin.post(path, { fingerprint: removal.fingerprint })).status).toBe(200);
    expect(await stateOf(staff, own)).toBe('valid');
  });
});
