import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { freshApps, getFieldErrors, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { historyReply } from '../../contract/history.ts';
import { studentCreatedReply } from '../../contract/students/students.ts';

const GONE = `/api/pictures/${'0'.repeat(64)}`;
const REFUSED = { img: ['The img must be a picture that is stored.'] };

/** Sets the address of a missing picture, as older versions could store it. */
const setMissingPicture = ({ db }: TestApp, id: string) =>
  db.write.updateTable('students').set({ img: GONE }).where('id', '=', id).execute();

async function enterWithPortrait(staff: Person): Promise<string> {
  const picture = await sharp({ create: { width: 30, height: 40, channels: 3, background: '#0c0' } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  for (const [field, value] of Object.entries(aStudent())) form.set(field, String(value ?? ''));
  form.set('img', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), 'portrait.jpg');
  const answer = await staff.call('POST', '/api/students', { form });
  return studentCreatedReply.parse(answer.body).student.img ?? '';
}

describe.each(freshApps())('the address of a stored picture as a portrait, on $name', ({ test }) => {
  // Covers A66
  test('is refused if the picture is missing, in a new record and in an edit', async ({ app, staff }) => {
    expect(getFieldErrors(await staff.post('/api/students', aStudent({ img: GONE })))).toEqual(REFUSED);
    const student = aStudent({ img: 'portrait of 2023' });
    expect((await staff.post('/api/students', student)).status).toBe(201);
    const url = `/api/students/${student.id}`;
    expect(getFieldErrors(await staff.put(url, { ...student, img: GONE }))).toEqual(REFUSED);
    expect((await staff.get(`${url}/base`)).body).toMatchObject({ student: { img: student.img } });
    expect(await findings(app)).toEqual([]);
  });

  test('is accepted if the picture is stored; any other text is stored and not reported', async ({
    app,
    staff,
  }) => {
    const stored = await enterWithPortrait(staff);
    const other = [
      '/api/pictures/x',
      GONE.toUpperCase(),
      `${GONE.slice(0, -1)}g`,
      `https://x.example${GONE}`,
    ];
    for (const img of [stored, ...other]) {
      const answer = await staff.post('/api/students', aStudent({ img }));
      expect(answer, answer.text).toMatchObject({ status: 201, body: { student: { img } } });
    }
    expect(await findings(app)).toEqual([]);
  });

  test('in an older record is reported if missing, until the record is saved without it', async ({
    app,
    staff,
  }) => {
    const student = aStudent();
    await staff.post('/api/students', student);
    await setMissingPicture(app, student.id);
    expect(await findings(app)).toEqual([
      `Pictures: Student ${student.id}: the picture is missing.`,
      `Students and their history: Student ${student.id}: img differ from the history.`,
    ]);
    expect((await staff.put(`/api/students/${student.id}`, student)).status).toBe(200);
    expect(await findings(app)).toEqual([]);
  });

  // Covers A66
  test('is removed when a record with a missing picture is restored', async ({ app, admin, staff }) => {
    const student = aStudent();
    const url = `/api/students/${student.id}`;
    await staff.post('/api/students', student);
    await setMissingPicture(app, student.id);
    await staff.put(url, { ...student, first_name: 'Renamed' });
    const { entries } = historyReply.parse((await staff.get(`${url}/history`)).body);
    const restored = await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`);
    expect(restored.status, restored.text).toBe(201);
    const { first_name } = student;
    expect((await staff.get(`${url}/base`)).body).toMatchObject({ student: { first_name, img: null } });

    await setMissingPicture(app, student.id);
    await staff.delete(url);
    const back = await admin.post(`${url}/restore`);
    expect(back, back.text).toMatchObject({ status: 201, body: { student: { first_name, img: null } } });

    await setMissingPicture(app, student.id);
    const change = { action: 'delete', ids: [student.id] };
    const { fingerprint } = (await admin.post('/api/students/bulk/preview', change)).body as {
      fingerprint: string;
    };
    const bulk = await admin.post('/api/students/bulk', { ...change, fingerprint });
    const { id } = (bulk.body as { change: { id: number } }).change;
    expect((await admin.post(`/api/students/bulk/${id}/undo`)).status).toBe(200);
    expect((await staff.get(`${url}/base`)).body).toMatchObject({ student: { img: null } });
    expect(await findings(app)).toEqual([]);
  });
});
