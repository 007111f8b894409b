import { describe, expect } from 'vitest';
import { sharedApps } from '../../../tests/support/app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { address, allOf, ids, page } from '../../../tests/support/student-list.ts';

describe.each(sharedApps())('the list of students at its limits, on $name', ({ test }) => {
  test('goes on behind names as long as they may be, in any letters', async ({ admin }) => {
    const letters = ['x', '"', '木', '𠮷', 'ﷺ', 'ẞ'];
    for (const [i, letter] of letters.entries()) {
      const name = `a${letter.repeat(Math.floor(254 / letter.length))}`;
      const record = aStudent({ id: `LONG-${i}`, first_name: name, last_name: name, degree: '98' });
      expect((await admin.post('/api/students', record)).status, letter).toBe(201);
      if (letter !== '"')
        expect(ids((await page(admin, { q: name.slice(0, 101) })).students)).toEqual([`LONG-${i}`]);
    }
    for (const sort of ['name', 'degree'] as const) {
      const { rows } = await allOf(admin, { sort, degree: '98', limit: 1 });
      expect(ids(rows).toSorted()).toEqual(letters.map((_, i) => `LONG-${i}`));
    }
  });

  test('finds a name of many words by each of them', async ({ admin }) => {
    const first_name = 'Sayyid Muhammad Ahsan Raza Hassan';
    await admin.post(
      '/api/students',
      aStudent({ id: 'MANY', first_name, last_name: 'ibn Qasim al Mujtaba Bukhari' }),
    );
    for (const q of ['Bukhari', 'mujt', 'bukhari sayyid', 'sayyid bukhari']) {
      expect(ids((await page(admin, { q })).students), q).toEqual(['MANY']);
      expect(ids((await page(admin, { q, sort: 'name' })).students), q).toEqual(['MANY']);
    }
  });

  test('never says of fewer students than it shows', async ({ admin }) => {
    await admin.post('/api/students', aStudent({ id: 'ONE' }));
    await admin.post('/api/students/family', aFamily('ONE'));
    const results = aSemester('ONE', 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]);
    expect((await admin.post('/api/students/academics', results)).status).toBe(201);
    expect(await page(admin, { cgpa_from: 3.5, cgpa_below: 3.51 })).toMatchObject({
      total: 1,
      total_is: 'exact',
      students: [{ id: 'ONE' }],
    });
  });

  test('refuses a place that no page can have ended at', async ({ admin }) => {
    const at = { by: 'order', sort: 'cgpa', direction: 'ascending', id: 'x' };
    for (const key of [2 ** 31, -(2 ** 40), 0.5, '\ud842']) {
      const cursor = Buffer.from(JSON.stringify({ ...at, key })).toString('base64url');
      expect((await admin.get(address({ sort: 'cgpa', cursor }))).status, String(key)).toBe(422);
    }
  });
});
