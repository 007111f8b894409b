import { describe, expect } from 'vitest';
import { insertStudents } from '../../../../tests/support/app/fill-class.ts';
import { allRows, fetchPage, ids, listUrl } from '../../../../tests/support/app/student-list.ts';
import { sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';

describe.each(sharedApps())('the list of students with extreme values, on $name', ({ test }) => {
  test('continues after names of maximum length in any script', async ({ admin }) => {
    const letters = ['x', '"', '木', '𠮷', 'ﷺ', 'ẞ'];
    for (const [i, letter] of letters.entries()) {
      const name = `a${letter.repeat(Math.floor(254 / letter.length))}`;
      const record = aStudent({ id: `LONG-${i}`, first_name: name, last_name: name, degree: '98' });
      expect((await admin.post('/api/students', record)).status, letter).toBe(201);
      if (letter !== '"')
        expect(ids((await fetchPage(admin, { q: name.slice(0, 101) })).students)).toEqual([`LONG-${i}`]);
    }
    for (const sort of ['name', 'degree'] as const) {
      const { rows } = await allRows(admin, { sort, degree: '98', limit: 1 });
      expect(ids(rows).toSorted()).toEqual(letters.map((_, i) => `LONG-${i}`));
    }
  });

  test('finds a name of many words by each word', async ({ admin }) => {
    const first_name = 'Sayyid Muhammad Ahsan Raza Hassan';
    await admin.post(
      '/api/students',
      aStudent({ id: 'MANY', first_name, last_name: 'ibn Qasim al Mujtaba Bukhari' }),
    );
    for (const q of ['Bukhari', 'mujt', 'bukhari sayyid', 'sayyid bukhari']) {
      expect(ids((await fetchPage(admin, { q })).students), q).toEqual(['MANY']);
      expect(ids((await fetchPage(admin, { q, sort: 'name' })).students), q).toEqual(['MANY']);
    }
  });

  test('finds a word that a thousand students have in any order, with a total that is not too high', async ({
    app,
    admin,
  }) => {
    const students = Array.from({ length: 1_600 }, (_, i) =>
      aStudent({
        id: `QOMMON-${1_000 + i}`,
        first_name: 'Qommon',
        dob: `${1990 + (i % 7)}-01-${10 + (i % 13)}`,
        gender: i % 4 === 0 ? 'M' : 'F',
        degree: i % 500 === 0 ? '97' : '98',
        current_sem: 1 + (i % 8),
      }),
    );
    await insertStudents(app.db.write, students);
    const getIds = (some: typeof students) => some.map(({ id }) => id);
    const expected = students.toSorted((a, b) => (`${a.dob} ${a.id}` < `${b.dob} ${b.id}` ? -1 : 1));
    const women = expected.filter(({ gender }) => gender === 'F');
    for (const [filter, matching] of [
      [{}, expected],
      [{ gender: 'F' }, women],
    ] as const) {
      const view = { q: 'qom', sort: 'dob', limit: 300, ...filter } as const;
      const { rows, first } = await allRows(admin, view);
      expect(ids(rows)).toEqual(getIds(matching));
      expect(first.total_is).toBe('minimum');
      expect(first.total).toBeLessThanOrEqual(matching.length);
      const backwards = await allRows(admin, { ...view, from: 'end' });
      expect(ids(backwards.rows)).toEqual(getIds(matching).toReversed());
    }
    const few = expected.filter(({ degree }) => degree === '97');
    expect(await fetchPage(admin, { q: 'qom', degree: '97', sort: 'dob', limit: 1 })).toMatchObject({
      total: few.length,
      total_is: 'exact',
      students: [{ id: few[0]?.id }],
    });
    expect(ids((await allRows(admin, { q: 'qom', degree: '97', sort: 'dob', limit: 1 })).rows)).toEqual(
      getIds(few),
    );
  });

  test('finds two common words next to each other first, and on later pages all others who have both', async ({
    app,
    admin,
  }) => {
    const name = (i: number) =>
      i % 40 === 0
        ? { first_name: 'Vommon', last_name: 'Videly' }
        : { first_name: 'Vommon Xa', last_name: 'Videly Yo' };
    const students = Array.from({ length: 200 }, (_, i) => aStudent({ id: `VOMMON-${100 + i}`, ...name(i) }));
    await insertStudents(app.db.write, students);
    const sideBySide = students.filter(({ last_name }) => last_name === 'Videly').map(({ id }) => id);
    const others = students.filter(({ last_name }) => last_name !== 'Videly').map(({ id }) => id);
    for (const q of ['vommon videly', 'vid vommon']) {
      const { rows, first } = await allRows(admin, { q, limit: 50 });
      expect(ids(first.students), q).toEqual(sideBySide);
      expect(first).toMatchObject({ total: sideBySide.length, total_is: 'minimum' });
      expect(ids(rows.slice(sideBySide.length)).toSorted(), q).toEqual(others);
    }
    const apart = await allRows(admin, { q: 'xa yo', limit: 50 });
    expect(apart.first.students).toHaveLength(50);
    expect(ids(apart.rows).toSorted()).toEqual(others);
  });

  test('never reports a total below the number of rows', async ({ admin }) => {
    await admin.post('/api/students', aStudent({ id: 'ONE' }));
    await admin.post('/api/students/family', aFamily('ONE'));
    const results = aSemester('ONE', 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]);
    expect((await admin.post('/api/students/academics', results)).status).toBe(201);
    expect(await fetchPage(admin, { cgpa_from: 3.5, cgpa_below: 3.51 })).toMatchObject({
      total: 1,
      total_is: 'exact',
      students: [{ id: 'ONE' }],
    });
  });

  test('refuses a cursor that no page returns', async ({ admin }) => {
    const at = { by: 'order', sort: 'cgpa', direction: 'ascending', id: 'x' };
    for (const key of [2 ** 31, -(2 ** 40), 0.5, '\ud842']) {
      const cursor = Buffer.from(JSON.stringify({ ...at, key })).toString('base64url');
      expect((await admin.get(listUrl({ sort: 'cgpa', cursor }))).status, String(key)).toBe(422);
    }
  });
});
