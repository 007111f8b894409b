import { expect, test } from '../../../support/browser/fixtures.ts';
import { fillFamilyForm, fillSemesterForm, fillStudentForm } from '../../../support/browser/forms.ts';
import { follow } from '../../../support/browser/screens.ts';
import { aFamily, aStudent, unique } from '../../../support/records.ts';

test('three students are all stored although the server is killed right after the last save', async ({
  staffPage: page,
  api,
  server,
  expectedProblems,
}) => {
  const last_name = unique();
  const students = ['Ayesha', 'Bilal', 'Zainab'].map((first_name) =>
    aStudent({ first_name, last_name, current_sem: 1 }),
  );

  for (const [i, student] of students.entries()) {
    if (i === 0) await page.goto('/students/create');
    else await follow(page, '/students/create');
    await fillStudentForm(page, student);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL(`/students/${student.id}/family/create`);
    await fillFamilyForm(page, aFamily(student.id));
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL(`/students/${student.id}/academics/create`);
    await fillSemesterForm(page, [{ title: 'Calculus', credits: 3, grade: 'B+' }]);
    const isLast = i === students.length - 1;
    if (isLast) expectedProblems.add('offline');
    const saved = page.waitForResponse(
      (response) => response.url() === `${server.url}/api/students/academics` && response.status() === 201,
    );
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await saved;
    if (isLast) await server.kill();
    else await expect(page.getByText('Entry has been created successfully')).toBeVisible();
  }

  await server.restart();
  await page.goto(`/students?q=${last_name}`);
  for (const { id, first_name } of students) {
    await expect(page.getByRole('row').filter({ hasText: id })).toContainText(first_name);
  }
  for (const { id } of students) {
    const record = await api.get<{ family: { father_name: string }; academics: { sgpa: number }[] }>(
      `/api/students/${id}`,
    );
    expect(record.family.father_name).toBe('Imran Siddiqui');
    expect(record.academics.map(({ sgpa }) => sgpa)).toEqual([3.5]);
  }
});
