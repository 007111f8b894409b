import { describe, expect } from 'vitest';
import { freshApps } from '../../../../tests/support/app/test-app.ts';
import { readPdf } from '../../../../tests/support/read-pdf.ts';
import { aFamily, aSemester, aStudent, INSTITUTION } from '../../../../tests/support/records.ts';
import { ownCopyReply } from '../../../contract/documents/own-copy.ts';

describe.each(freshApps())('the copy of a record for the student, on $name', ({ test }) => {
  test('has everything that is held, names no staff, and is itself recorded', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const { id } = aStudent();
    await staff.post('/api/students', aStudent({ id, reason: 'Left for a year' }));
    await staff.post('/api/students/family', aFamily(id));
    const semester = aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]);
    expect((await staff.post('/api/students/academics', semester)).status).toBe(201);
    await admin.put('/api/institution', INSTITUTION);
    const order = { kind: 'transcript', official: true, ids: [id], to: 'Embassy' };
    expect((await staff.post('/api/documents', order)).status).toBe(201);

    const url = `/api/students/${id}/own-copy`;
    for (const person of [staff, viewer]) expect((await person.get(url)).status).toBe(403);
    expect((await admin.get('/api/students/NOBODY/own-copy')).status).toBe(404);
    const answer = await admin.get(url);
    expect(answer.status, answer.text).toBe(200);
    const copy = ownCopyReply.parse(answer.body);
    expect(copy).toMatchObject({
      student: { id, reason: 'Left for a year' },
      family: { father_name: 'Imran Siddiqui' },
      semesters: [{ semester: 1, sgpa: 3.5, subjects: [{ title: 'Statics', credits: 3, letter: 'B+' }] }],
      standing: { standing: 'good' },
      documents: [{ kind: 'transcript', to: 'Embassy', state: 'valid' }],
      disclosures: [{ what: expect.stringMatching(/^Document \d{4}-000001 for Embassy$/) }],
    });
    expect(copy.history.map(({ entity }) => entity)).toEqual(['semester', 'family', 'student']);
    expect(answer.text).not.toContain(staff.user.name);

    const pdf = await app.app.inject({
      url: `${url}.pdf`,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const text = (await readPdf(pdf.rawPayload)).pages.join(' ');
    for (const part of [
      'Left for a year',
      'Imran Siddiqui',
      'Statics: 3 credit hours, grade B+',
      'Embassy',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Copy of the whole record');
    expect((await admin.get('/api/history?entity=document')).text).toContain(`copy of ${id}`);
  });

  test('has no figures of semesters before entry', async ({ app, admin }) => {
    const { id } = aStudent();
    await admin.post('/api/students', aStudent({ id, current_sem: 3 }));
    await admin.post('/api/students/family', aFamily(id));
    expect((await admin.post(`/api/students/${id}/entry-semester`, { semester: '3' })).status).toBe(201);
    const pdf = await app.app.inject({
      url: `/api/students/${id}/own-copy.pdf`,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const text = (await readPdf(pdf.rawPayload)).pages.join(' ');
    expect(text).toContain('Semester 1 before entry Semester 2 before entry');
    expect(text).not.toContain('0.00');
  });
});
