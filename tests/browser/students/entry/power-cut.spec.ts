import { Api, registerUser } from '../../../support/browser/api.ts';
import { expect, signIn, test } from '../../../support/browser/fixtures.ts';
import { fillFamilyForm, fillSemesterForm, fillStudentForm } from '../../../support/browser/forms.ts';
import { follow } from '../../../support/browser/screens.ts';
import { aFamily, aStudent } from '../../../support/records.ts';

test('three students are all stored although the server is killed right after the last save', async ({
  page,
  ownServer,
  expectedProblems,
}) => {
  const { url } = ownServer;
  const account = await registerUser(url);
  await signIn(page, account);
  const students = ['Ayesha', 'Bilal', 'Zainab'].map((first_name) =>
    aStudent({ first_name, current_sem: 1 }),
  );

  for (const [i, student] of students.entries()) {
    if (i === 0) await page.goto(`${url}/students/create`);
    else await follow(page, '/students/create');
    await fillStudentForm(page, student);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL(`${url}/students/${student.id}/family/create`);
    await fillFamilyForm(page, aFamily(student.id));
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL(`${url}/students/${student.id}/academics/create`);
    await fillSemesterForm(page, [{ title: 'Calculus', credits: 3, grade: 'B+' }]);
    const isLast = i === students.length - 1;
    if (isLast) expectedProblems.add('offline');
    const saved = page.waitForResponse(
      (response) => response.url() === `${url}/api/students/academics` && response.status() === 201,
    );
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await saved;
    if (isLast) await ownServer.kill();
    else await expect(page.getByText('Entry has been created successfully')).toBeVisible();
  }

  await ownServer.restart();
  await page.goto(`${url}/students`);
  for (const { id, first_name } of students) {
    await expect(page.getByRole('row').filter({ hasText: id })).toContainText(first_name);
  }
  const api = new Api(url, account.token);
  for (const { id } of students) {
    const record = await api.get<{ family: { father_name: string }; academics: { sgpa: number }[] }>(
      `/api/students/${id}`,
    );
    expect(record.family.father_name).toBe('Imran Siddiqui');
    expect(record.academics.map(({ sgpa }) => sgpa)).toEqual([3.5]);
  }
});
