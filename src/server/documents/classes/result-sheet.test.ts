import { describe, expect } from 'vitest';
import { freshApps, type Person, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { readPdf } from '../../../../tests/support/read-pdf.ts';
import { aCourse, aFamily, aSemester, aStudent, type Subject } from '../../../../tests/support/records.ts';

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
    expect(title).toBe('Class result sheet, Mechanical Engineering, 46, semester 1');
    expect(pages[0]).toMatch(/ME-101 3 cr Drawing 3 cr SGPA CGPA Rank Remarks/);
    expect(pages[0]).toMatch(/1 2 Student 2 Siddiqui F B 1\.50 1\.50 2 Failed: ME-101/);
    expect(pages[0]).toMatch(/2 10 Student 10 Siddiqui A A 4\.00 4\.00 1/);
    expect((await fetchSheet(app, viewer)).status).toBe(403);
    expect((await admin.get('/api/history?entity=export')).text).toContain('result-sheet');
  });

  test('leaves provisional results out', async ({ app, staff }) => {
    await enter(staff, '1', [{ title: 'Drawing', credits: 3, grade: 'A' }]);
    await app.db.write.updateTable('semesters').set({ is_provisional: 1 }).execute();
    expect((await fetchSheet(app, staff)).status).toBe(409);
  });
});
