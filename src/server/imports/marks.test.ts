import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { listRows, previewRows, uploadFile } from '../../../tests/support/app/import-file.ts';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { aCourse } from '../../../tests/support/records.ts';
import { importUndoneReply, importUndoPreview } from '../../contract/imports.ts';

async function offer(by: Person): Promise<number> {
  const course = aCourse();
  expect((await by.post('/api/courses', course)).status).toBe(201);
  return course.course_id;
}

const prepare = async (by: Person, courseId: number, text: string, choices: object = {}) => {
  const uploaded = await uploadFile(by, 'marks', text, { fields: { course_id: String(courseId) } });
  return { id: uploaded.import_id, preview: await previewRows(by, uploaded, choices) };
};

async function apply(by: Person, courseId: number, text: string, choices: object = {}): Promise<number> {
  const { id, preview } = await prepare(by, courseId, text);
  const answer = await by.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint, ...choices });
  expect(answer.status, answer.text).toBe(200);
  return id;
}

async function undo(by: Person, id: number) {
  const { fingerprint } = importUndoPreview.parse((await by.get(`/api/imports/${id}/undo`)).body);
  return by.post(`/api/imports/${id}/undo`, { fingerprint });
}

const readMarks = async (app: TestApp, id: number) => {
  const pieces = app.db.read.selectFrom('course_marks').select('marks').where('course_id', '=', id);
  return (await pieces.orderBy('piece').execute()).flatMap(({ marks }) => JSON.parse(marks) as number[]);
};

describe.each(freshApps())('an import of marks, on $name', ({ test }) => {
  test('replaces the marks of one course, which an undo brings back', async ({ app, staff }) => {
    const course = await offer(staff);
    expect((await staff.post('/api/courses-marks', { course_id: course, marks: '50,60' })).status).toBe(201);
    const { id, preview } = await prepare(staff, course, 'Roll No,Marks\n1,64.5\n2,78\n');
    expect(preview.counts).toEqual({ create: 0, update: 2, unchanged: 0, refused: 0 });
    expect((await listRows(staff, id))[0]).toMatchObject({
      ...{ key: String(course), changes: [{ field: 'marks', before: null, after: '64.5' }] },
    });
    const imported = await apply(staff, course, 'Roll No,Marks\n1,64.5\n2,78\n');
    expect(await readMarks(app, course)).toEqual([64.5, 78]);
    const shown = (await staff.get(`/api/courses/${course}`)).body;
    expect(shown).toMatchObject({ course: { marks_count: 2, average: 71.25 } });
    const undone = await undo(staff, imported);
    expect(importUndoneReply.parse(undone.body)).toMatchObject({ undone: 1, kept: [] });
    expect(await readMarks(app, course)).toEqual([50, 60]);
    expect(await findings(app)).toEqual([]);
  });

  test('is undone to no marks, and not at all after a later upload', async ({ app, staff }) => {
    const course = await offer(staff);
    await undo(staff, await apply(staff, course, 'Marks\n64.5\n'));
    expect(await readMarks(app, course)).toEqual([]);
    const id = await apply(staff, course, 'Marks\n64.5\n');
    expect((await staff.post('/api/courses-marks', { course_id: course, marks: '50' })).status).toBe(201);
    const preview = importUndoPreview.parse((await staff.get(`/api/imports/${id}/undo`)).body);
    expect(preview).toMatchObject({ undone: 0, kept: [{ key: String(course), reason: 'Changed since.' }] });
    expect((await undo(staff, id)).status).toBe(409);
    expect(await findings(app)).toEqual([]);
  });

  test('refuses what is no mark, and imports the others where asked', async ({ app, staff }) => {
    const course = await offer(staff);
    const text = 'Roll No,Marks\n1,64.5\n2,Absent\n3,101\n4,\n5,0\n';
    const { id, preview } = await prepare(staff, course, text);
    expect(preview.counts).toMatchObject({ create: 2, refused: 3 });
    expect((await listRows(staff, id)).flatMap(({ errors }) => errors.marks ?? [])).toEqual([
      'The marks must be a number from 0 to 100.',
      'The marks must be a number from 0 to 100.',
      'The marks field is required.',
    ]);
    await apply(staff, course, text, { partial: true });
    expect(await readMarks(app, course)).toEqual([64.5, 0]);
  });

  test('says that nothing changes, or that the course already has marks', async ({ staff }) => {
    const course = await offer(staff);
    await apply(staff, course, 'Marks\n64.5\n');
    expect((await prepare(staff, course, 'Marks\n64.5\n')).preview.counts).toMatchObject({ unchanged: 1 });
    const { id } = await prepare(staff, course, 'Marks\n70\n', { mode: 'create' });
    expect((await listRows(staff, id))[0]?.errors).toEqual({ marks: ['The course has marks already.'] });
  });
});
