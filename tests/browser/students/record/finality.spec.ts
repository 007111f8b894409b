import type { PolicyPreview } from '../../../../src/contract/grading/policies.ts';
import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { confirmSheet, makeSheet } from '../../../support/browser/mark-sheets.ts';
import { expectNoSidewaysScrolling, follow } from '../../../support/browser/screens.ts';

const standing = (page: Page) => page.getByRole('region', { name: 'GPA Standing' });

test('a record says what a semester waits for, what was notified and is now, and that a course is incomplete', async ({
  staffPage: page,
  api,
  admin,
  server,
}) => {
  const office = new Api(server.url, admin.token);
  const { sheet, ids, degree, termId } = await makeSheet({ api, admin: office }, [72, null, null]);
  const [first = '', second = '', third = ''] = ids;
  const path = `/api/sheets/${sheet.sheet_id}`;
  for (const [id, status] of [[second, 'incomplete'] as const, [third, 'withdrawn'] as const]) {
    const row = { status, reason: 'Ill at the exam' };
    expect((await api.send('PUT', `${path}/rows/${id}`, row)).status).toBe(200);
  }
  await confirmSheet({ api, admin: office }, sheet);

  await page.goto(`/students/${first}`);
  await expect(standing(page)).toContainText(
    new RegExp(
      `Semester 1 is provisional until the class is notified: CE-${degree}, semester 1, .+ \\(Signals\\)`,
    ),
  );
  await expect(standing(page).getByRole('link', { name: 'Signals' })).toHaveAttribute(
    'href',
    `/marksheets/${sheet.sheet_id}`,
  );
  await expectNoSeriousAxeFindings(page);

  // Notified as good standing, which another policy no longer changes.
  await office.post('/api/result-notifications', {
    ...{ term_id: termId, department: 'CE', degree, semester: 1 },
  });
  const policy = { degrees: [degree], rules: { warning_sgpa: 3 } };
  const preview = await office.post<PolicyPreview>('/api/policies/preview', policy);
  await office.post('/api/policies', { ...policy, name: 'Stricter', fingerprint: preview.fingerprint });
  await page.reload();
  await expect(standing(page)).toContainText('As notified. Today it would beWarningSGPA 2.50 is below 3.00.');
  await expect(page.getByText('as notified, today')).toBeVisible();
  await expect(standing(page)).not.toContainText('provisional');
  await expect(standing(page).getByRole('button', { name: /^Semester 1 SGPA 2.50/ })).toBeVisible();
  await standing(page).getByText('Standing by semester').press('Enter');
  await expectNoSeriousAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // A course that is incomplete stands beside the SGPA, one that was withdrawn does not.
  await follow(page, `/students/${second}`);
  await standing(page)
    .getByRole('button', { name: /^Semester 1 1 subject is incomplete SGPA 0.00/ })
    .click();
  const semester = page.getByRole('dialog', { name: 'Semester 1' });
  await expect(semester.getByRole('row', { name: 'Signals' })).toContainText('I incomplete');
  await expect(semester.getByText('1 subject is incomplete')).toBeAttached();
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Escape');
  await follow(page, `/students/${third}`);
  await standing(page)
    .getByRole('button', { name: /^Semester 1 SGPA 0.00/ })
    .click();
  await expect(semester.getByRole('row', { name: 'Signals' })).toContainText('W withdrawn');
  await page.keyboard.press('Escape');

  await follow(page, `/reports?report=result-summary&department=CE&degree=${degree}`);
  await expect(page.getByRole('link', { name: 'Complete: 2 students' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Incomplete: 1 student' })).toBeVisible();
});

test('a record shows the CGPA after the latest semester beside the one before the current', async ({
  staffPage: page,
  api,
}) => {
  const subject = (grade: 'A' | 'B') => [{ title: 'Statics', credits: 3, grade } as const];
  const { id } = await api.createRecord([subject('A'), subject('B')], { current_sem: 2 });
  await page.goto(`/students/${id}`);
  await expect(standing(page)).toContainText('4.00CGPAafter semester 1');
  await expect(standing(page)).toContainText('3.50CGPAafter semester 2');
});
