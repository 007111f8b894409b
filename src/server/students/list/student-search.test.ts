import { describe, expect } from 'vitest';
import { listRows, prepareImport } from '../../../../tests/support/app/import-file.ts';
import { allRows, fetchPage, ids } from '../../../../tests/support/app/student-list.ts';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
} from '../../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';

const enter = async (by: Person, changes: Record<string, unknown>, fatherName?: string) => {
  const student = aStudent({ phone_number: null, ...changes });
  expect((await by.post('/api/students', student)).status).toBe(201);
  if (fatherName === undefined) return;
  expect(
    (await by.post('/api/students/family', aFamily(student.id, { father_name: fatherName }))).status,
  ).toBe(201);
};

describe.each(freshApps())('a search of students, on $name', ({ test }) => {
  test('finds whole IDs, ends of IDs, names, ends of phone numbers and the rest, in this order', async ({
    admin,
  }) => {
    await enter(admin, { id: '900001', phone_number: '0300 5510000' });
    await enter(admin, { id: '551900' });
    await enter(admin, { id: '900002', phone_number: '0300 1234551' });
    await enter(admin, { id: '900003', first_name: '551st' });
    await enter(admin, { id: '2026551' });
    await enter(admin, { id: '551' });
    await enter(admin, { id: '900004', phone_number: '0300 551 9999' });
    const { total, ...whole } = await fetchPage(admin, { q: '551' });
    const inOrder = ids(whole.students);
    expect(inOrder.slice(0, 4)).toEqual(['551', '2026551', '900003', '900002']);
    expect(new Set(inOrder.slice(4))).toEqual(new Set(['551900', '900001', '900004']));
    expect(ids((await allRows(admin, { q: '551', limit: 1 })).rows)).toEqual(inOrder);
    // A filter that leaves few students.
    const ofBatch = { q: '551', degree: '44' };
    const filtered = await fetchPage(admin, ofBatch);
    expect(ids(filtered.students)).toEqual(inOrder);
    expect([filtered.total, filtered.total_is]).toEqual([total, 'exact']);
    const one = await allRows(admin, { ...ofBatch, limit: 1 });
    expect([ids(one.rows), one.first.total]).toEqual([inOrder, total]);
  });

  test('finds the own name before that of the father', async ({ admin }) => {
    await enter(admin, { id: 'B1', first_name: 'Zoya', last_name: 'Mirza' }, 'Asif Khan');
    await enter(admin, { id: 'B2', first_name: 'Khan', last_name: 'Zada' }, 'Zoya Mirza');
    await enter(admin, { id: 'B3', first_name: 'Asif', last_name: 'Khan' }, 'Bilal');
    expect(ids((await fetchPage(admin, { q: 'asif' })).students)).toEqual(['B3', 'B1']);
    expect(ids((await fetchPage(admin, { q: 'khan asif' })).students)).toEqual(['B3', 'B1']);
    expect(ids((await fetchPage(admin, { q: 'zoya mirza' })).students)).toEqual(['B1', 'B2']);
  });

  test('finds a name in any of its spellings, whole or while it is typed, in any order', async ({
    admin,
  }) => {
    await enter(admin, { id: 'C1', first_name: 'Muhammad', last_name: 'Hussain' }, 'Syed Usman');
    await enter(admin, { id: 'C2', first_name: 'Mohammed', last_name: 'Hussein' }, 'Sayed Osman');
    await enter(admin, { id: 'C3', first_name: 'Mohd.', last_name: 'Husain' });
    await enter(admin, { id: 'C4', first_name: 'Hassan', last_name: 'Mohsin' });
    const all = ['C1', 'C2', 'C3'];
    for (const q of [
      'muhammad',
      'Mohammad',
      'muhamad',
      'Mohd',
      'hussein',
      'husain',
      'mohammad husein',
      'mohamm hus',
    ])
      for (const sort of [undefined, 'name', 'cgpa'] as const) {
        const { rows } = await allRows(admin, { q, ...(sort && { sort }), limit: 2 });
        expect(ids(rows).toSorted(), q).toEqual(all);
      }
    expect(ids((await fetchPage(admin, { q: 'moh' })).students).toSorted()).toEqual([...all, 'C4']);
    expect(ids((await fetchPage(admin, { q: 'osman saiyid' })).students).toSorted()).toEqual(['C1', 'C2']);
    expect(ids((await fetchPage(admin, { q: 'hasan' })).students)).toEqual(['C4']);
  });

  test('finds a class by its name, beside words and filters, and IDs that are written like one', async ({
    admin,
  }) => {
    const ofCe = { department: 'CE', degree: '45' };
    await enter(admin, { id: 'D1', ...ofCe, syn: 'C', first_name: 'Amna' });
    await enter(admin, { id: 'D2', ...ofCe, syn: 'A' });
    await enter(admin, { id: 'D3', department: 'CE', degree: '44', syn: 'C' });
    await enter(admin, { id: 'D4', department: 'CE', degree: '45E', syn: 'C' });
    await enter(admin, { id: '2021-ME-45', department: 'EE', degree: '45', syn: 'C' });
    const find = async (asked: Parameters<typeof allRows>[1]) =>
      ids((await allRows(admin, asked)).rows).toSorted();
    for (const q of ['CE-45-C', 'ce-45-c', ' ce\u201345\u2013c '])
      expect(await find({ q }), q).toEqual(['D1']);
    for (const q of ['CE-45E-C', 'ce-45e']) expect(await find({ q }), q).toEqual(['D4']);
    expect(await find({ q: 'CE-45' })).toEqual(['D1', 'D2']);
    expect(await find({ q: 'CE-45', sort: 'name', limit: 1 })).toEqual(['D1', 'D2']);
    expect(await find({ q: 'CE-45 amna' })).toEqual(['D1']);
    expect(await find({ q: 'CE-45', syn: 'A' })).toEqual(['D2']);
    expect(await find({ q: 'CE-45-C', department: 'EE' })).toEqual([]);
    expect(await find({ q: 'ME-45' })).toEqual(['2021-ME-45']);
    expect((await fetchPage(admin, { q: 'CE-45' })).total_is).toBe('exact');
  });

  test('finds the students of a class who failed a course, however few, and nobody where none has a status', async ({
    admin,
  }) => {
    const ofCe = { department: 'CE', degree: '45', current_sem: 2 };
    await enter(admin, { id: 'G1', ...ofCe, syn: 'C' }, 'Bilal');
    for (const id of ['G2', 'G3', 'G4']) await enter(admin, { id, ...ofCe, syn: 'A' });
    const course = aCourse();
    await admin.post('/api/courses', course);
    const { course_name: title, course_id: courseId } = course;
    const results = aSemester('G1', 1, [{ title, courseId, credits: 3, grade: 'F' }]);
    expect((await admin.post('/api/students/academics', results)).status).toBe(201);
    const find = async (asked: Parameters<typeof allRows>[1]) => ids((await allRows(admin, asked)).rows);
    for (const q of ['CE-45-C', 'CE-45'])
      expect(await find({ q, failed: course.course_id }), q).toEqual(['G1']);
    expect(await find({ q: 'CE-45-C', status: ['active'] })).toEqual(['G1']);
    expect(await find({ q: 'CE-45-C', status: ['graduated'] })).toEqual([]);
    // Its ID is written like the class.
    await enter(admin, { id: '2021-CE-45', department: 'EE' });
    await admin.put('/api/students/2021-CE-45/status', { status: 'graduated' });
    expect(await find({ q: 'CE-45', status: ['graduated'] })).toEqual([]);
  });

  test('finds a phone number while its country is typed', async ({ admin }) => {
    await enter(admin, { id: 'E1', phone_number: '+92 (0)301 7654321' });
    for (const q of ['+92', '+92 (0', '+92 (0)', '+92 (0)3', '+92 (0)301 765'])
      expect(ids((await fetchPage(admin, { q })).students), q).toEqual(['E1']);
  });
});

describe.each(sharedApps())('characters that are not seen, on $name', ({ test }) => {
  test('are nothing in a name that is searched, and no name', async ({ admin }) => {
    await enter(admin, { id: 'F1', first_name: 'Ghaz\u00adala', last_name: 'Tar\u200bar' });
    for (const q of ['ghazala tarar', 'gha\u200bzala', 'ghaz\u00adala ta\u2060rar'])
      expect(ids((await fetchPage(admin, { q })).students), q).toEqual(['F1']);
    for (const name of ['\u200b', '\u00ad \ufeff', '\u2800', '\u3164']) {
      const answer = await admin.post('/api/students', aStudent({ first_name: name, last_name: name }));
      expect(getFieldErrors(answer), JSON.stringify(name)).toEqual({
        first_name: ['The first name field is required.'],
        last_name: ['The last name field is required.'],
      });
      const { img: _, ...row } = aStudent({ first_name: name });
      const { id } = await prepareImport(admin, 'students', [row]);
      expect(await listRows(admin, id), JSON.stringify(name)).toMatchObject([
        { state: 'refused', errors: { first_name: ['The first name field is required.'] } },
      ]);
    }
  });
});
