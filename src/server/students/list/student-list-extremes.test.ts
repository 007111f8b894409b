import { describe, expect } from 'vitest';
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
