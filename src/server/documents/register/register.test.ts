import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, onTestFinished, vi } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { readPdf, readQrCode } from '../../../../tests/support/read-pdf.ts';
import { aFamily, aSemester, aStudent, INSTITUTION, unique } from '../../../../tests/support/records.ts';
import {
  documentBatch,
  documentRevokedReply,
  documentsCreatedReply,
  documentsPreview,
  registerReply,
} from '../../../contract/documents/documents.ts';
import { verificationReply } from '../../../contract/documents/verification.ts';
import { academicCreatedReply } from '../../../contract/students/academics.ts';
import { calendarDate } from '../../../domain/age.ts';
import { Secrets } from '../../secrets/secrets.ts';
import { hashContent } from '../content/content.ts';
import { readCode, signCode } from '../verification/code.ts';
import { findSigningKey } from '../verification/signing-keys.ts';

const SUBJECTS = [
  { title: 'Calculus', credits: 3, grade: 'A' },
  { title: 'Physics', credits: 3, grade: 'B' },
] as const;

/** A student with results of the first semesters. */
async function enter(by: Person, changes: Parameters<typeof aStudent>[0] = {}, semesters = 1) {
  const student = aStudent(changes);
  expect((await by.post('/api/students', student)).status).toBe(201);
  expect((await by.post('/api/students/family', aFamily(student.id))).status).toBe(201);
  const recorded = [];
  for (let semester = 1; semester <= semesters; semester += 1) {
    const answer = await by.post('/api/students/academics', aSemester(student.id, semester, SUBJECTS));
    recorded.push(academicCreatedReply.parse(answer.body).academic);
  }
  return { ...student, semesters: recorded };
}

const TRANSCRIPT = { kind: 'transcript', official: true, purpose: 'Visa', to: 'Embassy' };

async function issue(by: Person, ids: readonly string[], changes: object = {}) {
  const answer = await by.post('/api/documents', { ...TRANSCRIPT, ids, ...changes });
  expect(answer.status, answer.text).toBe(201);
  return documentsCreatedReply.parse(answer.body);
}

const year = new Date().getFullYear();
const toSerial = (number: number) => `${year}-${String(number).padStart(6, '0')}`;
/** A number of serials without a gap. */
const serialsFrom = (first: string | null | undefined, count: number) =>
  Array.from({ length: count }, (_, i) => toSerial(Number(first?.split('-')[1]) + i));

const readCodes = ({ db }: TestApp, serial: string) =>
  db.read
    .selectFrom('documents')
    .select(['code', 'hand_code'])
    .where('serial', '=', serial)
    .executeTakeFirstOrThrow();

const verify = async (app: TestApp, code: string) => {
  const answer = await app.call('POST', '/api/verify', { body: { code } });
  const inPath = await app.call('GET', `/api/verify/${code}`);
  expect([inPath.status, inPath.body]).toEqual([answer.status, answer.body]);
  return answer.status === 200 ? verificationReply.parse(answer.body) : answer.status;
};

/** Official documents need the name of the institution. */
const nameInstitution = async ({ put }: Person) =>
  expect((await put('/api/institution', INSTITUTION)).status).toBe(200);

describe.each(freshApps())('an empty register of documents, on $name', ({ test }) => {
  test('has each official document with a serial of its year, and answers its bytes again', async ({
    app,
    staff,
    admin,
  }) => {
    await nameInstitution(admin);
    const [first, second] = [await enter(staff), await enter(staff, {}, 2)];
    const one = await issue(staff, [first.id]);
    expect(one).toMatchObject({
      message: '1 transcript issued.',
      documents: [
        {
          serial: toSerial(1),
          kind: 'transcript',
          semester: 1,
          student_id: first.id,
          student_name: `${first.first_name} ${first.last_name}`,
          issued_by: { id: staff.user.id, name: staff.user.name },
          to: 'Embassy',
          purpose: 'Visa',
          state: 'valid',
          revoked: null,
        },
      ],
      batch: { state: 'done', progress: { done: 1, of: 1 }, refused: [], documents: 1 },
    });
    const two = await issue(admin, [second.id, first.id], { kind: 'result-card', semester: 1 });
    expect(two.documents.map(({ serial }) => serial)).toEqual([toSerial(2), toSerial(3)]);
    const list = registerReply.parse((await staff.get('/api/documents')).body);
    expect(list.map(({ serial }) => serial)).toEqual([3, 2, 1].map(toSerial));
    expect(
      registerReply.parse((await staff.get(`/api/documents?before=${toSerial(3)}&limit=1`)).body),
    ).toMatchObject([{ serial: toSerial(2) }]);
    expect(
      registerReply.parse((await staff.get(`/api/documents?student_id=${second.id}`)).body),
    ).toHaveLength(1);
    const read = async () =>
      (
        await app.app.inject({
          url: `/api/documents/${toSerial(1)}.pdf`,
          headers: { authorization: `Bearer ${staff.token}` },
        })
      ).rawPayload;
    const pdf = await read();
    expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
    await staff.put(`/api/students/${first.id}`, { ...aStudent({ ...first }), first_name: 'Other' });
    expect((await read()).equals(pdf)).toBe(true);
    expect((await staff.get(`/api/documents/${toSerial(9)}.pdf`)).status).toBe(404);
  });

  test('has no official document before the institution has a name, and no warning once all is in order', async ({
    admin,
    staff,
    viewer,
  }) => {
    const { id } = await enter(staff);
    const order = { ...TRANSCRIPT, ids: [id] };
    const warnings = async (changes: object = {}) => {
      const body = { kind: 'transcript', official: true, ids: [id], ...changes };
      return documentsPreview.parse((await staff.post('/api/documents/preview', body)).body).warnings;
    };
    const text = 'An administrator names the institution in the settings first.';
    expect(getFieldErrors(await staff.post('/api/documents', order))).toEqual({ official: [text] });
    expect((await viewer.post('/api/documents', order)).status).toBe(403);
    expect(await warnings()).toEqual([
      { rule: 'institution', text },
      expect.objectContaining({ rule: 'address' }),
    ]);
    expect(await warnings({ official: false })).toEqual([]);
    expect((await staff.get(`/api/documents?student_id=${id}`)).body).toEqual([]);
    await issue(staff, [id], { official: false });

    for (const public_url of ['http://127.0.0.1:3000', 'http://192.168.1.7', 'http://sims']) {
      await admin.put('/api/institution', { ...INSTITUTION, public_url });
      expect(await warnings()).toEqual([{ rule: 'address', text: expect.stringContaining(public_url) }]);
    }
    await admin.put('/api/institution', { ...INSTITUTION, public_url: 'https://records.rce.example.edu' });
    expect(await warnings()).toEqual([]);
    await issue(staff, [id]);
  });
});

// Each application starts a thread that reads the fonts.
describe.each(sharedApps({ isNamed: true }))('the register of documents, on $name', ({ test }) => {
  test('prints the address of the institution with a code behind the hash, and one of 24 characters', async ({
    app,
    admin,
    staff,
  }) => {
    const { id } = await enter(staff);
    await admin.put('/api/institution', { ...INSTITUTION, public_url: 'https://records.rce.example.edu' });
    const { documents } = await issue(staff, [id]);
    const serial = documents[0]?.serial ?? '';
    const { code, hand_code } = await readCodes(app, serial);
    expect(hand_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{24}$/);
    const file = await app.app.inject({
      url: `/api/documents/${serial}.pdf`,
      headers: { authorization: `Bearer ${staff.token}` },
    });
    expect(file.headers['content-disposition']).toBe(`inline; filename="transcript-${id}-${serial}.pdf"`);
    expect(await readQrCode(file.rawPayload, 1)).toBe(`https://records.rce.example.edu/verify#${code}`);
    const text = (await readPdf(file.rawPayload)).pages.join(' ');
    expect(text).toContain('records.rce.example.edu/verify');
    expect(text.replaceAll(' ', '')).toContain(hand_code.match(/.{4}/g)?.join('-'));
  });

  test('prints the title of the degree and the batch, and answers both; a document of the first versions keeps its words', async ({
    app,
    admin,
    staff,
  }) => {
    const { id } = await enter(staff, { department: 'CE', degree: '49' });
    const title = 'Bachelor of Engineering in Computer Engineering';
    const programmes = [{ department: 'CE', title }];
    await admin.put('/api/institution', { ...INSTITUTION, programmes });
    const { documents } = await issue(staff, [id]);
    const serial = documents[0]?.serial ?? '';
    const { code } = await readCodes(app, serial);
    expect(await verify(app, code)).toMatchObject({ programme: `${title}, Batch 49` });
    const file = await app.app.inject({
      url: `/api/documents/${serial}.pdf`,
      headers: { authorization: `Bearer ${staff.token}` },
    });
    const [page] = (await readPdf(file.rawPayload)).pages;
    expect(page).toContain(`Degree ${title}`);
    expect(page).toContain('Batch 49');
    // A title that is changed later supersedes nothing: it stands on later documents.
    await admin.put('/api/institution', INSTITUTION);
    expect(await verify(app, code)).toMatchObject({ state: 'valid', programme: `${title}, Batch 49` });

    const { content } = await app.db.read
      .selectFrom('documents')
      .select('content')
      .where('serial', '=', serial)
      .executeTakeFirstOrThrow();
    const { degree_title: _, terms: __, ...first } = JSON.parse(content) as Record<string, unknown>;
    const json = JSON.stringify(first);
    const contentHash = hashContent(json);
    const { summary } = readCode(code) ?? expect.fail();
    const { privateKey } = (await findSigningKey(app.db.read, new Secrets([]))) ?? expect.fail();
    const firstCode = signCode({ ...summary, contentHash }, privateKey);
    await app.db.write
      .updateTable('documents')
      .set({ content: json, content_hash: contentHash, code: firstCode })
      .where('serial', '=', serial)
      .execute();
    expect(await verify(app, firstCode)).toMatchObject({
      programme: 'Computer and Software Engineering, 49',
    });
    const batch = await staff.get(`/api/documents/batches/${documents[0]?.batch_id}.zip`);
    expect(batch.status).toBe(200);
  });

  test('knows the documents that are out with 16 characters by either code', async ({ app, staff }) => {
    const { id } = await enter(staff);
    const { documents } = await issue(staff, [id]);
    const serial = documents[0]?.serial ?? '';
    const hand_code = '7K3M9QXD42TBA0ZN';
    await app.db.write.updateTable('documents').set({ hand_code }).where('serial', '=', serial).execute();
    const { code } = await readCodes(app, serial);
    for (const known of [code, `${serial}.${hand_code}`, `${serial}.7k3m-9qxd-42tb-aozn`]) {
      expect(await verify(app, known)).toMatchObject({ state: 'valid', student_id: id });
    }
    for (const wrong of [`${hand_code}00000000`, hand_code.slice(0, 12), '7K3M9QXD42TBA0ZM']) {
      expect(await verify(app, `${serial}.${wrong}`)).toBe(404);
    }
  });

  test('dates a document by the time zone of the server', async ({ app, staff }) => {
    // One of the two has another date than UTC at any time of day.
    vi.stubEnv('TZ', new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Pacific/Kiritimati');
    onTestFinished(() => void vi.unstubAllEnvs());
    const today = calendarDate(new Date());
    expect(today).not.toBe(new Date().toISOString().slice(0, 10));
    const { documents } = await issue(staff, [(await enter(staff)).id]);
    const serial = documents[0]?.serial ?? '';
    expect(serial.slice(0, 4)).toBe(today.slice(0, 4));
    const { code } = await readCodes(app, serial);
    expect(await verify(app, code)).toMatchObject({ issued_on: today });
  });

  test('answers who holds a document, by either code, whether it is valid', async ({ app, staff }) => {
    const student = await enter(staff, { first_name: 'Zoë', last_name: "O'Neill" });
    const { documents } = await issue(staff, [student.id]);
    const serial = documents[0]?.serial ?? '';
    const { code, hand_code } = await readCodes(app, serial);
    const expected = {
      state: 'valid',
      kind: 'transcript',
      serial,
      semester: 1,
      student_name: "Zoë O'Neill",
      student_id: student.id,
      credits: 6,
      cgpa: 3.5,
      provisional: true,
      sgpas: [{ semester: 1, sgpa: 3.5 }],
      issued_on: calendarDate(new Date()),
    };
    for (const one of [code, `${serial}.${hand_code}`, `${serial}.${hand_code.toLowerCase()}`]) {
      expect(await verify(app, one)).toMatchObject(expected);
    }
    const changed = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
    for (const wrong of [
      changed(code),
      `${serial}.${changed(hand_code)}`,
      serial,
      student.id,
      `${serial}.`,
    ]) {
      expect(await verify(app, wrong), wrong).toBe(404);
    }
    const key = await app.call('GET', '/api/verify/key');
    expect(key.text).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });

  // Covers A142
  test('vouches for no figures that were not signed, by either code', async ({ app, staff }) => {
    const { id } = await enter(staff);
    const { documents } = await issue(staff, [id]);
    const serial = documents[0]?.serial ?? '';
    const { code, hand_code } = await readCodes(app, serial);
    const row = () =>
      app.db.read.selectFrom('documents').selectAll().where('serial', '=', serial).executeTakeFirstOrThrow();
    const genuine = await row();
    const store = (changes: Partial<typeof genuine>) =>
      app.db.write.updateTable('documents').set(changes).where('serial', '=', serial).execute();
    const content = genuine.content.replace('"cgpa":3.5', '"cgpa":4');
    expect(content).not.toBe(genuine.content);
    const changes: Partial<typeof genuine>[] = [
      { content },
      { content, content_hash: hashContent(content) },
      { content: genuine.content.replace('Ayesha', 'Aisha') },
      { semester: 8 },
      { kind: 'result-card' },
    ];
    const expectAltered = async () => {
      for (const one of [code, `${serial}.${hand_code}`]) {
        const answer = await app.call('POST', '/api/verify', { body: { code: one } });
        expect(answer).toMatchObject({
          status: 404,
          body: {
            message:
              'The register has other figures for this document than were signed. Ask the institution.',
            state: 'altered',
          },
        });
        expect(answer.text).not.toContain(id);
      }
    };
    for (const change of changes) {
      await store(change);
      await expectAltered();
      await store(genuine);
    }
    const keys = await app.db.read.selectFrom('signing_keys').selectAll().execute();
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
    for (const public_key of [String(other), 'none']) {
      await app.db.write.updateTable('signing_keys').set({ public_key }).execute();
      await expectAltered();
    }
    for (const { key_id, public_key } of keys)
      await app.db.write
        .updateTable('signing_keys')
        .set({ public_key })
        .where('key_id', '=', key_id)
        .execute();
    expect(await verify(app, code)).toMatchObject({ state: 'valid', cgpa: 3.5 });
    // Nor is a document superseded, or valid, by other figures than were signed.
    await store({ figures: '0'.repeat(64) });
    expect(await verify(app, code)).toMatchObject({ state: 'valid', cgpa: 3.5 });
  });

  // Covers A102
  test('answers a right code where many wrong ones came from', async ({ app, staff }) => {
    const { documents } = await issue(staff, [(await enter(staff)).id]);
    const serial = documents[0]?.serial ?? '';
    const { code } = await readCodes(app, serial);
    const check = (one: string) =>
      app.call('POST', '/api/verify', { body: { code: one }, from: '127.0.0.7' });
    const wrong = `${serial}.7K3M9QXD42TBA0ZN`;
    for (let i = 0; i < 60; i += 1) expect((await check(wrong)).status).toBe(404);
    expect((await check(wrong)).status).toBe(429);
    expect((await check(code)).status).toBe(200);
    expect((await check(wrong)).status).toBe(429);
  });

  test('shows a document as superseded while the record has other figures, whatever changed them', async ({
    app,
    admin,
  }) => {
    const student = await enter(admin, { current_sem: 8 }, 2);
    const { documents } = await issue(admin, [student.id]);
    const serial = documents[0]?.serial ?? '';
    const { code } = await readCodes(app, serial);
    const stateNow = async () => {
      const found = await verify(app, code);
      const listed = registerReply.parse((await admin.get(`/api/documents?serial=${serial}`)).body)[0]?.state;
      expect(typeof found === 'object' && found.state).toBe(listed);
      return listed;
    };
    expect(await stateNow()).toBe('valid');

    // What is not on the document supersedes nothing, and neither does a later semester.
    const { semesters, ...base } = student;
    expect(
      (await admin.put(`/api/students/${student.id}`, { ...base, phone_number: '0300 1234567' })).status,
    ).toBe(200);
    expect((await admin.post('/api/students/academics', aSemester(student.id, 3, SUBJECTS))).status).toBe(
      201,
    );
    expect(await stateNow()).toBe('valid');

    const edit = (grade: 'A' | 'C') =>
      admin.put(
        `/api/students/academics/${semesters[1]?.academic_id}`,
        aSemester(student.id, 2, [{ ...SUBJECTS[0], grade }, SUBJECTS[1]]),
      );
    expect((await edit('C')).status).toBe(200);
    expect(await stateNow()).toBe('superseded');
    expect(await verify(app, code)).toMatchObject({ cgpa: 3.5 });
    const superseded = registerReply.parse((await admin.get('/api/documents?state=superseded')).body);
    expect(superseded.map((one) => one.serial)).toContain(serial);
    expect((await edit('A')).status).toBe(200);
    expect(await stateNow()).toBe('valid');

    expect((await admin.put(`/api/students/${student.id}`, { ...base, last_name: 'Other' })).status).toBe(
      200,
    );
    expect(await stateNow()).toBe('superseded');
    expect((await admin.put(`/api/students/${student.id}`, base)).status).toBe(200);
    expect((await admin.put(`/api/students/${student.id}/id`, { id: `${student.id}-N` })).status).toBe(200);
    expect(await stateNow()).toBe('superseded');
    expect(
      registerReply.parse((await admin.get(`/api/documents?student_id=${student.id}-N`)).body),
    ).toHaveLength(1);
    expect((await admin.delete(`/api/students/${student.id}-N`)).status).toBe(200);
    expect(await stateNow()).toBe('superseded');
  });

  test('revokes a document for administrators, and tells nothing else of it then', async ({
    app,
    admin,
    staff,
  }) => {
    const { id } = await enter(staff);
    const { documents } = await issue(staff, [id]);
    const serial = documents[0]?.serial ?? '';
    const url = `/api/documents/${serial}/revoke`;
    expect((await staff.post(url, { reason: 'Forged' })).status).toBe(403);
    expect(getFieldErrors(await admin.post(url, {}))).toEqual({ reason: ['The reason field is required.'] });
    const revoked = await admin.post(url, { reason: 'Printed twice' });
    expect(revoked.status, revoked.text).toBe(200);
    expect(documentRevokedReply.parse(revoked.body).document).toMatchObject({
      state: 'revoked',
      revoked: { by: { id: admin.user.id }, reason: 'Printed twice' },
    });
    expect((await admin.post(url, { reason: 'Again' })).status).toBe(409);
    const { code } = await readCodes(app, serial);
    expect(await verify(app, code)).toMatchObject({
      ...{ state: 'revoked', kind: 'transcript', serial, issued_on: expect.any(String) },
      ...{ student_name: null, student_id: null, programme: null, credits: null, cgpa: null, sgpas: [] },
    });
    expect((await staff.get(`/api/documents/${serial}.pdf`)).status).toBe(200);
    const history = await admin.get('/api/history?entity=document');
    expect(history.text).toContain('Printed twice');
  });

  test('keeps unofficial documents out', async ({ staff, admin }) => {
    const { id } = await enter(staff);
    const made = await issue(staff, [id], { official: false });
    expect(made).toMatchObject({ documents: [], batch: { official: false, state: 'done', documents: 1 } });
    const pdf = await staff.get(`/api/documents/batches/${made.batch_id}.pdf`);
    expect(pdf.status).toBe(200);
    expect(pdf.headers['content-disposition']).toBe(`attachment; filename="transcript-${id}-unofficial.pdf"`);
    expect((await staff.get(`/api/documents?student_id=${id}`)).body).toEqual([]);
    expect((await admin.get('/api/history?entity=document')).text).toContain(`unofficial ${made.batch_id}`);
  });

  test('says who gets no document and why', async ({ staff, viewer }) => {
    const recorded = await enter(staff);
    const empty = await enter(staff, { first_name: 'Nobody', last_name: 'Yet' }, 0);
    const emoji = await enter(staff, { first_name: 'Zoë 🎓' });
    const ids = [recorded.id, empty.id, 'UNKNOWN'];
    const preview = await staff.post('/api/documents/preview', { kind: 'transcript', official: true, ids });
    expect(documentsPreview.parse(preview.body)).toMatchObject({
      students: 1,
      refused: expect.arrayContaining([
        { student_id: empty.id, first_name: 'Nobody', last_name: 'Yet', reason: 'No semester is recorded.' },
        { student_id: 'UNKNOWN', first_name: '', last_name: '', reason: 'There is no student with this ID.' },
      ]),
    });
    const made = await issue(staff, [...ids, emoji.id]);
    expect(made.documents).toHaveLength(1);
    expect(made.batch.refused.map(({ student_id }) => student_id).sort()).toEqual(
      [empty.id, emoji.id, 'UNKNOWN'].sort(),
    );
    expect(made.batch.refused.find(({ student_id }) => student_id === emoji.id)?.reason).toBe(
      'The documents have no letter for 🎓. Write it in another way.',
    );

    const refused = async (body: object) => getFieldErrors(await staff.post('/api/documents', body));
    expect(await refused({ ...TRANSCRIPT, ids: [empty.id] })).toEqual({
      ids: [`${empty.id}: No semester is recorded.`],
    });
    expect(await refused({ ...TRANSCRIPT, kind: 'result-card', ids: [recorded.id] })).toEqual({
      semester: ['The semester field is required.'],
    });
    expect(await refused({ ...TRANSCRIPT, kind: 'result-card', semester: 2, ids: [recorded.id] })).toEqual({
      ids: [`${recorded.id}: Semester 2 is not recorded.`],
    });
    expect(await refused({ ...TRANSCRIPT })).toEqual({ ids: ['The ids must name at least one student.'] });
    expect(await refused({ ...TRANSCRIPT, filter: { q: 'nobody at all' } })).toEqual({
      filter: ['No student matches.'],
    });
    for (const [method, url] of [
      ['POST', '/api/documents'],
      ['POST', '/api/documents/preview'],
      ['GET', '/api/documents'],
      ['GET', '/api/documents/batches/1'],
      ['GET', '/api/documents/batches/1.pdf'],
      ['GET', `/api/documents/${toSerial(1)}.pdf`],
    ] as const) {
      const body = method === 'POST' ? { ...TRANSCRIPT, ids: [recorded.id] } : undefined;
      expect((await viewer.call(method, url, { body })).status, url).toBe(403);
    }
  });

  test('issues a class in the background, in the order of the IDs, as one PDF or a ZIP', async ({
    staff,
  }) => {
    const degree = unique();
    const ids = [];
    for (let i = 11; i > 0; i -= 1) {
      ids.push((await enter(staff, { id: `${degree}-${i}`, degree })).id);
    }
    const { batch_id, documents } = await issue(staff, [], { ids: undefined, filter: { degree } });
    expect(documents).toEqual([]);
    const url = `/api/documents/batches/${batch_id}`;
    await expect
      .poll(async () => documentBatch.parse((await staff.get(url)).body).state, { timeout: 60_000 })
      .toBe('done');
    const batch = documentBatch.parse((await staff.get(url)).body);
    expect(batch).toMatchObject({
      progress: { done: 11, of: 11 },
      documents: 11,
      last_serial: serialsFrom(batch.first_serial, 11).at(-1),
    });
    const listed = registerReply.parse((await staff.get('/api/documents?limit=11')).body);
    expect(listed.map(({ student_id }) => student_id)).toEqual(ids);
    expect((await staff.get(`${url}.zip`)).status).toBe(200);
    expect((await staff.get(`${url}.pdf`)).status).toBe(200);
    expect((await staff.post(`${url}/cancel`)).status).toBe(409);
  });

  test.for([true, false])(
    'answers a repeated call the same after the student was deleted, official: %s',
    async (official, { staff }) => {
      const { id } = await enter(staff);
      const key = unique();
      const send = () =>
        staff.call('POST', '/api/documents', {
          body: { ...TRANSCRIPT, official, ids: [id] },
          headers: { 'idempotency-key': key },
        });
      const first = await send();
      expect(first.status, first.text).toBe(201);
      expect((await staff.delete(`/api/students/${id}`)).status).toBe(200);
      const second = await send();
      expect(second).toMatchObject({ status: 201, text: first.text });
      expect(second.headers.etag).toBe(first.headers.etag);
      const listed = await staff.get(`/api/documents?student_id=${id}`);
      expect(registerReply.parse(listed.body)).toHaveLength(official ? 1 : 0);
    },
  );

  test('gives each of many documents that are issued at the same time a serial of its own', async ({
    staff,
  }) => {
    const students = [await enter(staff), await enter(staff), await enter(staff)];
    const made = await Promise.all(students.map(({ id }) => issue(staff, [id])));
    const serials = made.flatMap(({ documents }) => documents.map(({ serial }) => serial)).sort();
    expect(serials).toEqual(serialsFrom(serials[0], 3));
  });
});
