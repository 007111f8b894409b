import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { type HistoryEntry, historyReply } from '../../contract/history.ts';
import type { BulkPreview } from '../../contract/students/bulk.ts';

const read = async (by: Person, url: string) => {
  const answer = await by.get(url);
  expect(answer.status, answer.text).toBe(200);
  return historyReply.parse(answer.body);
};

/** Reads all pages of `limit` entries each. */
async function readAll(by: Person, url: string, limit = 200): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== '' && { cursor }) });
    const page = await read(by, `${url}${url.includes('?') ? '&' : '?'}${query}`);
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...page.entries);
    cursor = page.next_cursor;
  }
  return entries;
}

const summarize = ({ action, entity, user, changes }: HistoryEntry) => ({
  what: `${action} ${entity}`,
  who: user.name,
  changes: Object.fromEntries(changes.map(({ label, before, after }) => [label, [before, after]])),
});

describe.each(freshApps())('the history of a record, on $name', ({ test }) => {
  test('lists who changed which fields when: base, family, results, bulk changes and the delete', async ({
    admin,
    staff,
    viewer,
  }) => {
    const url = '/api/students/S1/history';
    const student = aStudent({ id: 'S1', current_sem: 1, fsc_marks: 935, reason: null });
    await staff.post('/api/students', student);
    await staff.put('/api/students/S1', { ...student, fsc_marks: 940.5, first_name: 'Hina' });
    await staff.post('/api/students/family', aFamily('S1'));
    await staff.put('/api/students/S1/family', { ...aFamily('S1'), father_name: 'Karim' });
    const results = (grade: 'B' | 'F') => aSemester('S1', 1, [{ title: 'Statics', credits: 3, grade }]);
    await staff.post('/api/students/academics', results('B'));
    const { academics } = (await staff.get('/api/students/S1')).body as {
      academics: { academic_id: number }[];
    };
    await staff.put(`/api/students/academics/${academics[0]?.academic_id}`, results('F'));
    const bulk = { action: 'syndicate', syn: 'C', ids: ['S1'] };
    const { fingerprint } = (await admin.post('/api/students/bulk/preview', bulk)).body as BulkPreview;
    await admin.post('/api/students/bulk', { ...bulk, fingerprint });

    const { entries } = await read(staff, url);
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(entries.map(({ bulk }) => bulk?.students ?? null)).toEqual([1, ...Array(6).fill(null)]);
    expect(entries[1]).toMatchObject({ semester: 1, entity_id: 'S1' });
    expect(entries[0]).toMatchObject({ name: `Hina ${student.last_name}`, user: { id: admin.user.id } });
    const [moved, regraded, , renamed, , updated, created] = entries.map(summarize);
    expect(moved).toEqual({
      ...{ what: 'update student', who: admin.user.name },
      changes: { Syndicate: [student.syn, 'C'] },
    });
    expect(regraded).toEqual({
      ...{ what: 'update semester', who: staff.user.name },
      changes: {
        'Subject 1': ['Statics, 3 credit hours, grade B', 'Statics, 3 credit hours, grade F'],
        SGPA: [3, 0],
        CGPA: [3, 0],
      },
    });
    expect(renamed?.changes).toEqual({ "Father's name": [aFamily('S1').father_name, 'Karim'] });
    expect(updated?.changes).toEqual({
      'First name': [student.first_name, 'Hina'],
      'FSC marks': [935, 940.5],
    });
    expect(created?.changes).toMatchObject({
      'First name': [null, student.first_name],
      Degree: [null, student.degree],
    });
    expect(created?.changes).not.toHaveProperty('Reasons/Comments');

    await staff.delete('/api/students/S1');
    expect((await staff.get(url)).status).toBe(404);
    const [gone] = (await read(admin, url)).entries.map(summarize);
    expect(gone).toMatchObject({ what: 'delete student', who: staff.user.name });
    expect(gone?.changes).toMatchObject({
      'First name': ['Hina', null],
      "Father's name": ['Karim', null],
      'Semester 1': ['1 subject, SGPA 0, CGPA 0', null],
    });
    await admin.post('/api/students/S1/restore');
    expect((await readAll(staff, url, 2)).map(({ id }) => id)).toEqual(
      (await read(admin, url)).entries.map(({ id }) => id),
    );
    const restored = (await read(staff, url)).entries;
    expect(restored).toHaveLength(9);
    expect(restored[0]?.restored_from).toBe(restored[1]?.id);
    expect((await read(staff, `${url}?user=${admin.user.id}`)).entries).toHaveLength(2);
    expect((await read(staff, `${url}?to=2020-01-01`)).entries).toEqual([]);
    expect((await viewer.get(url)).status).toBe(403);
    expect((await admin.get('/api/students/nobody/history')).status).toBe(404);
    expect((await admin.get('/api/students/%00/history')).status).toBe(404);
  });

  // Covers A41
  test('omits earlier records with the ID except for administrators, and includes a restored record’s own', async ({
    admin,
    staff,
  }) => {
    const url = '/api/students/S1/history';
    const first = await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Hina' }));
    expect(first.status).toBe(201);
    await admin.delete('/api/students/S1');
    expect((await staff.get(url)).status).toBe(404);
    await admin.post('/api/students/S1/restore');
    expect((await readAll(staff, url)).map(({ action }) => action)).toEqual(['create', 'delete', 'create']);
    await admin.delete('/api/students/S1');
    await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Zara' }));
    const seen = await readAll(staff, url);
    expect(seen.map(({ action }) => action)).toEqual(['create']);
    expect(JSON.stringify(seen)).not.toContain('Hina');
    expect(await readAll(admin, url)).toHaveLength(5);

    const course = aCourse();
    const courseUrl = `/api/courses/${course.course_id}`;
    await admin.post('/api/courses', course);
    await admin.delete(courseUrl);
    await admin.post('/api/courses', course);
    expect(await readAll(staff, `${courseUrl}/history`)).toHaveLength(1);
    expect(await readAll(admin, `${courseUrl}/history`)).toHaveLength(3);
  });

  test('shows the number and statistics of a course’s marks', async ({ admin, staff, viewer }) => {
    const course = aCourse();
    const url = `/api/courses/${course.course_id}/history`;
    await staff.post('/api/courses', course);
    await staff.post('/api/courses-marks', { course_id: course.course_id, marks: '40,80' });
    await staff.put(`/api/courses/${course.course_id}`, { ...course, course_name: 'Dynamics' });
    const [renamed, marked] = (await read(staff, url)).entries.map(summarize);
    expect(renamed?.changes).toEqual({ 'Course name': [course.course_name, 'Dynamics'] });
    expect(marked).toMatchObject({
      what: 'update marks',
      changes: { Marks: [0, 2], Average: [null, 60], 'Standard deviation': [null, 20] },
    });
    await staff.delete(`/api/courses/${course.course_id}`);
    expect((await staff.get(url)).status).toBe(404);
    expect((await read(admin, url)).entries).toHaveLength(4);
    expect((await viewer.get(url)).status).toBe(403);
    expect((await admin.get('/api/courses/x/history')).status).toBe(404);
  });
});

describe.each(sharedApps())('the whole history, on $name', ({ test }) => {
  test('is visible to administrators only', async ({ staff, viewer }) => {
    expect((await staff.get('/api/history')).status).toBe(403);
    expect((await viewer.get('/api/history')).status).toBe(403);
  });

  test('lists changes of accounts without secrets', async ({ app, admin }) => {
    const person = await app.register({ name: 'Hina Sabzwari' });
    await app.giveRole(admin, person, 'viewer');
    const password = 'a louder afternoon';
    await person.put(`/api/users/${person.user.id}/change-password`, {
      ...{ id: person.user.id, old_password: person.password, password, password_confirmation: password },
    });
    const url = `/api/history?entity=user&entity_id=${person.user.id}`;
    const [changed, promoted, registered] = (await read(admin, url)).entries.map(summarize);
    expect(changed).toMatchObject({ changes: { Password: [null, 'changed'] } });
    expect(promoted).toMatchObject({ who: admin.user.name, changes: { Role: ['staff', 'viewer'] } });
    expect(registered).toMatchObject({ changes: { Email: [null, person.user.email] } });
    expect(JSON.stringify((await read(admin, url)).entries)).not.toMatch(/afternoon|argon2/);
  });

  test('lists the matches of every filter at any page size', async ({ admin, staff }) => {
    for (let i = 0; i < 6; i += 1) {
      const [by, id] = [i % 2 === 0 ? admin : staff, `F${i}`];
      await by.post('/api/students', aStudent({ id }));
      await by.post('/api/students/family', aFamily(id));
      if (i < 2) await by.delete(`/api/students/${id}`);
    }
    const all = await readAll(admin, '/api/history');
    expect(all.length).toBeGreaterThan(14);
    const keys = all.map(({ at, id }) => `${at} ${String(id).padStart(9, '0')}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
    const [from, to] = [all[9]?.at ?? '', all[3]?.at ?? ''];
    const filters: [Record<string, string>, (entry: HistoryEntry) => boolean][] = [
      [{}, () => true],
      [{ entity: 'family' }, ({ entity }) => entity === 'family'],
      [{ action: 'delete' }, ({ action }) => action === 'delete'],
      [{ user: String(staff.user.id) }, ({ user }) => user.id === staff.user.id],
      [
        { user: String(staff.user.id), entity: 'student', action: 'create' },
        ({ user, entity, action }) =>
          user.id === staff.user.id && entity === 'student' && action === 'create',
      ],
      [
        { entity: 'student', entity_id: 'F1' },
        ({ entity, entity_id }) => entity === 'student' && entity_id === 'F1',
      ],
      [{ from, to }, ({ at }) => at >= from && at <= to],
      [{ from: to, action: 'create' }, ({ at, action }) => at >= to && action === 'create'],
      [{ to: from.slice(0, 10), from: from.slice(0, 10) }, ({ at }) => at.startsWith(from.slice(0, 10))],
      [{ to: '2020-01-01' }, () => false],
      [{ to: '9999-12-31' }, () => true],
    ];
    for (const [filter, isMatch] of filters) {
      const expected = all.filter(isMatch).map(({ id }) => id);
      for (const limit of [1, 3, 200]) {
        const found = await readAll(admin, `/api/history?${new URLSearchParams(filter)}`, limit);
        expect(
          found.map(({ id }) => id),
          JSON.stringify({ filter, limit }),
        ).toEqual(expected);
      }
    }
  });

  test('refuses unknown and invalid parameters by name', async ({ admin, staff }) => {
    const { id } = aStudent();
    await staff.post('/api/students', aStudent({ id }));
    const refused: [string, string][] = [
      ['limit=201', 'limit'],
      ['limit=0', 'limit'],
      ['entity=teapot', 'entity'],
      ['entity_id=S1', 'entity_id'],
      ['action=read', 'action'],
      ['user=0', 'user'],
      ['from=yesterday', 'from'],
      ['to=2026-02-30', 'to'],
      ['cursor=abc', 'cursor'],
      ['colour=red', 'colour'],
    ];
    for (const [query, field] of refused) {
      const errors = getFieldErrors(await admin.get(`/api/history?${query}`));
      expect(Object.keys(errors), query).toEqual([field]);
      expect(errors[field]?.[0]).toMatch(/^(The \w.*|There is no such parameter)\.$/);
    }
    expect(Object.keys(getFieldErrors(await staff.get(`/api/students/${id}/history?entity=user`)))).toEqual([
      'entity',
    ]);
  });
});

describe.each(freshApps())('the history of students found by a text, on $name', ({ test }) => {
  const enter = async (staff: Person, student: ReturnType<typeof aStudent>) => {
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily(student.id));
  };
  const found = async (admin: Person, query: Record<string, string>) =>
    (await read(admin, `/api/history?${new URLSearchParams(query)}`)).entries.map(
      ({ action, entity, entity_id, name }) => `${action} ${entity} ${entity_id} ${name}`,
    );

  test('has the entries of those with this name, ID or former ID, and names on entries of the family', async ({
    admin,
    staff,
  }) => {
    await enter(staff, aStudent({ id: 'S1', first_name: 'Talha', last_name: 'Butt' }));
    await enter(staff, aStudent({ id: 'S2', first_name: 'Hina', last_name: 'Malik' }));
    await admin.put('/api/students/S1/id', { id: 'S9' });
    const own = [
      'update student S9 Talha Butt',
      'create family S1 Talha Butt',
      'create student S1 Talha Butt',
    ];
    for (const student of ['S1', 'S9', 'talha', 'Butt Talha', ' S9 ']) {
      expect(await found(admin, { student }), student).toEqual(own);
    }
    expect(await found(admin, { student: 'hina', entity: 'family' })).toEqual([
      'create family S2 Hina Malik',
    ]);
    expect(await found(admin, { student: 'hina', entity: 'course' })).toEqual([]);
    expect(await found(admin, { student: '%' })).toEqual([]);
  });

  test('has those of a deleted student by the ID, each with the name of its own time', async ({ admin }) => {
    await enter(admin, aStudent({ id: 'S1', first_name: 'Talha', last_name: 'Butt' }));
    await admin.delete('/api/students/S1');
    await enter(admin, aStudent({ id: 'S1', first_name: 'Hina', last_name: 'Malik' }));
    expect(await found(admin, { student: 'S1', entity: 'family' })).toEqual([
      'create family S1 Hina Malik',
      'create family S1 Talha Butt',
    ]);
  });

  test('is paged, says whether more students have the name, and is only for administrators', async ({
    admin,
    staff,
  }) => {
    for (let i = 0; i < 21; i += 1) {
      await staff.post('/api/students', aStudent({ first_name: 'Zartaj', last_name: 'Khan' }));
    }
    const page = await read(admin, '/api/history?student=zartaj&limit=5');
    expect([page.entries.length, page.has_all_students]).toEqual([5, false]);
    expect(await readAll(admin, '/api/history?student=zartaj', 7)).toHaveLength(20);
    expect((await staff.get('/api/history?student=zartaj')).status).toBe(403);
    const both = await admin.get('/api/history?student=S1&entity=student&entity_id=S1');
    expect(Object.keys(getFieldErrors(both))).toEqual(['student']);
  });
});
