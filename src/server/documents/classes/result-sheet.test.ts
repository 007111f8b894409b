import { describe, expect } from 'vitest';
import { makePolicy } from '../../../../tests/support/app/grading-policies.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { freshApps, type Person, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { readPdf } from '../../../../tests/support/read-pdf.ts';
import {
  aCourse,
  aFamily,
  aSemester,
  aStudent,
  INSTITUTION,
  type Subject,
} from '../../../../tests/support/records.ts';
import { registerReply } from '../../../contract/documents/documents.ts';

const URL = '/api/reports/result-sheet.pdf?department=ME&degree=46';

async function enter(by: Person, id: string, subjects: readonly Subject[]) {
  const student = aStudent({ id, department: 'ME', degree: '46', first_name: `Student ${id}` });
  await by.post('/api/students', student);
  await by.post('/api/students/family', aFamily(id));
  expect((await by.post('/api/students/academics', aSemester(id, 1, subjects))).status).toBe(201);
}

const fetchSheet = async ({ app }: TestApp, { token }: Person, url = URL) => {
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return { status: answer.statusCode, pdf: answer.rawPayload };
};

describe.each(freshApps())('the result sheet of a class, on $name', ({ test }) => {
  test('has the letters of each student by course, averages, ranks and failed courses, in landscape', async ({
    app,
    staff,
    admin,
    viewer,
  }) => {
    expect((await fetchSheet(app, staff)).status).toBe(409);
    const course = { ...aCourse(), course_code: 'ME-101' };
    expect((await admin.post('/api/courses', course)).status).toBe(201);
    const statics = (grade: 'A' | 'F'): Subject => ({
      ...{ title: 'Statics', credits: 3, grade, courseId: course.course_id },
    });
    await enter(staff, '2', [statics('F'), { title: 'Drawing', credits: 3, grade: 'B' }]);
    await enter(staff, '10', [statics('A'), { title: 'Drawing', credits: 3, grade: 'A' }]);
    const { status, pdf } = await fetchSheet(app, staff);
    expect(status).toBe(200);
    const { pages, sizes, title } = await readPdf(pdf);
    expect(sizes).toEqual([{ width: 842, height: 595 }]);
    expect(title).toBe('Class result sheet, Mechanical Engineering, Batch 46, semester 1');
    expect(pages[0]).toMatch(/ME-101 3 cr Drawing 3 cr SGPA CGPA Rank Remarks/);
    expect(pages[0]).toMatch(/1 2 Student 2 Siddiqui F B 1\.50 1\.50 2 Failed: ME-101; Warning/);
    expect(pages[0]).toContain(
      '2 students, passed all 1, one F 1, two F 0, three or more F 0, mean SGPA 2.75',
    );
    expect(pages[0]).toMatch(/2 10 Student 10 Siddiqui A A 4\.00 4\.00 1/);
    expect((await fetchSheet(app, viewer)).status).toBe(403);
    expect((await admin.get('/api/history?entity=export')).text).toContain('result-sheet');
  });

  test('says how a course ended without a grade, as transcripts do', async ({ app, admin, staff }) => {
    const ofClass = await aClass({ app, admin }, 3);
    const sheet = await fillSheet(staff, await createSheet(staff, ofClass), [88, 71, 45]);
    for (const [i, status] of [[1, 'withdrawn'] as const, [2, 'incomplete'] as const]) {
      const row = { status, reason: 'Ill', semester: 1 };
      const saved = await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${ofClass.ids[i]}`, row);
      expect(saved.status, saved.text).toBe(200);
    }
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const { term_id, degree } = ofClass;
    const notified = await admin.post('/api/result-notifications', {
      ...{ term_id, department: 'CE', degree, semester: 1 },
    });
    expect(notified.status, notified.text).toBe(201);

    const { pages } = await readPdf(
      (await fetchSheet(app, staff, `/api/reports/result-sheet.pdf?department=CE&degree=${degree}`)).pdf,
    );
    expect(pages[0]).toMatch(/I incomplete · W withdrawn/);
    expect(pages[0]).toMatch(/Semester 1, .+, result notification \d+ of \d+ \w+ \d{4}/);
    const [, withdrawn = '', incomplete = ''] = ofClass.ids;
    expect(pages[0]).toMatch(new RegExp(`${withdrawn} .+ W 0\\.00`));
    expect(pages[0]).toMatch(new RegExp(`${incomplete} .+ I 0\\.00 I`));

    await admin.put('/api/institution', INSTITUTION);
    const order = { kind: 'transcript', official: true, ids: [withdrawn] };
    expect((await staff.post('/api/documents', order)).status).toBe(201);
    const [transcript] = registerReply.parse(
      (await staff.get(`/api/documents?student_id=${withdrawn}`)).body,
    );
    expect(transcript?.state).toBe('valid');
    const file = await fetchSheet(app, staff, `/api/documents/${transcript?.serial}.pdf`);
    const [page] = (await readPdf(file.pdf)).pages;
    expect(page).toMatch(/Signals 3 W –/);
    expect(page).toMatch(/W: withdrawn\./);
    const unofficial = { kind: 'transcript', official: false, ids: [incomplete] };
    const ordered = await staff.post('/api/documents', unofficial);
    const { batch_id } = ordered.body as { batch_id: number };
    const draft = await fetchSheet(app, staff, `/api/documents/batches/${batch_id}.pdf`);
    expect((await readPdf(draft.pdf)).pages[0]).toMatch(/SGPA 0\.00 I/);
    // The term of the mark sheet stands at the semester that it wrote.
    expect(page).toContain(`Semester 1, ${sheet.term_name}`);
  });

  test('has the standing that was notified, whatever another policy makes of it', async ({
    app,
    admin,
    staff,
  }) => {
    const ofClass = await aClass({ app, admin }, 2);
    const { term_id, degree } = ofClass;
    const sheet = await fillSheet(staff, await createSheet(staff, ofClass), [72, 30]);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const notified = await admin.post('/api/result-notifications', {
      ...{ term_id, department: 'CE', degree, semester: 1 },
    });
    expect(notified.status, notified.text).toBe(201);
    await makePolicy(admin, { degrees: [degree], rules: { warning_sgpa: 3 } });
    const { pages } = await readPdf(
      (await fetchSheet(app, staff, `/api/reports/result-sheet.pdf?department=CE&degree=${degree}`)).pdf,
    );
    const [good = '', warned = ''] = ofClass.ids;
    expect(pages[0]).toMatch(new RegExp(`${warned} .+ Failed: .+; Warning`));
    expect(pages[0]).toMatch(new RegExp(`${good} .+ C\\+ 2\\.50 2\\.50 1`));
    expect(pages[0]?.match(/Warning/g)).toHaveLength(1);
  });

  test('leaves provisional results out', async ({ app, staff }) => {
    await enter(staff, '1', [{ title: 'Drawing', credits: 3, grade: 'A' }]);
    await app.db.write.updateTable('semesters').set({ is_provisional: 1 }).execute();
    expect((await fetchSheet(app, staff)).status).toBe(409);
    const second = aSemester('1', 2, [{ title: 'Sketching', credits: 3, grade: 'B' }]);
    expect((await staff.post('/api/students/academics', second)).status).toBe(201);
    const { pages } = await readPdf((await fetchSheet(app, staff)).pdf);
    expect(pages[0]).toMatch(/1 1 Student 1 Siddiqui B 3\.00 – – Semester 1 is provisional/);
  });
});
