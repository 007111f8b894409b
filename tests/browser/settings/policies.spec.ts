import type { Policy, PolicyPreview } from '../../../src/contract/grading/policies.ts';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectNoSidewaysScrolling, expectScreen, follow } from '../../support/browser/screens.ts';
import { aSemester } from '../../support/records.ts';

/** A student of a batch who took a course twice: 4 hours with an F, then with an A, beside 4 hours with a C. */
async function enterRepeater(api: Api, degree: string): Promise<string> {
  const { course_id } = await api.createCourse();
  const { id } = await api.createRecord([], {
    degree,
    current_sem: 3,
    first_name: 'Hina',
    last_name: 'Shah',
  });
  for (const [i, grade] of (['F', 'A'] as const).entries()) {
    const subjects = [
      { title: 'Statics', courseId: course_id, credits: 4, grade },
      { title: 'Drawing', credits: 4, grade: 'C' },
    ] as const;
    await api.post('/api/students/academics', aSemester(id, i + 1, subjects));
  }
  return id;
}

const policyItem = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Grading policies' }).getByRole('listitem').filter({ hasText: text });

test('an administrator previews a policy, corrects it, and makes it', async ({
  page,
  ownServer: { url },
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const admin = await registerUser(url, 'Asad Admin');
  const api = new Api(url, admin.token);
  const id = await enterRepeater(api, '51');
  await api.createStudent({ degree: '52' });
  await signIn(page, admin);
  await page.goto(`${url}/settings`);
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Grading policies' })
    .click();
  await expectScreen(page, 'Grading policies');
  await expect(policyItem(page, 'Policy 1: As specified')).toContainText('In force');
  await expect(page.getByText('A policy can’t be edited or deleted')).toBeVisible();
  await page.getByRole('link', { name: 'New policy' }).click();
  await expectScreen(page, 'New policy');

  await page.getByRole('radio', { name: 'Some batches' }).check();
  await page.getByRole('checkbox', { name: '51 1 student' }).check();
  await field(page, 'Repeated courses').selectOption({ label: 'The better grade counts' });
  await expect(page.getByText('Was: Every attempt counts.')).toBeVisible();
  await field(page, 'CGPA for probation').fill('4.5');
  const boundaries = page.getByRole('group', { name: 'Lowest mark of each letter' });
  await boundaries.getByLabel('B+').fill('85');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByRole('alert')).toContainText('Three fields need attention.');
  await expect(field(page, 'Name')).toHaveAccessibleDescription('Required');
  await expect(field(page, 'CGPA for probation')).toHaveAccessibleDescription(
    /must be 0 to 4 with at most two decimals/,
  );
  await expect(boundaries).toHaveAccessibleDescription(/must fall from A to D/);
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('alert').getByRole('link', { name: 'Lowest mark of each letter' }).click();
  await expect(boundaries).toBeFocused();

  // What was typed outlives a reload.
  await page.reload();
  await expect(field(page, 'CGPA for probation')).toHaveValue('4.5');
  await expect(page.getByRole('checkbox', { name: '51 1 student' })).toBeChecked();
  await field(page, 'CGPA for probation').fill('2.2');
  await boundaries.getByLabel('B+').fill('81');
  await field(page, 'Name').fill('Repeats of batch 51');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByText('Changes the CGPA of 1 student of 1.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What policy 2 would change' })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: id });
  // (0 + 8 + 16 + 8) ÷ 16 hours; without the F, 32 ÷ 12.
  await expect(row).toContainText('2.00 → , then 2.67');
  await expect(row.getByRole('link', { name: id })).toHaveAttribute('href', `/students/${id}`);
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByText('No draft of a mark sheet follows it.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the rules' }).click();
  await expect(field(page, 'Name')).toHaveValue('Repeats of batch 51');
  await field(page, 'SGPA for a warning').fill('3.9');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(
    page.getByText('1 student gets another standing: from Good standing to Warning.'),
  ).toBeVisible();
  await expect(row).toContainText('Good standing → , then Warning');
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('button', { name: 'Back to the rules' }).click();
  await field(page, 'SGPA for a warning').fill('2');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await page.getByRole('button', { name: 'Create policy 2' }).click();

  await expect(page.getByText('Policy 2 holds for batch 51.')).toBeVisible();
  await expectScreen(page, 'Grading policies');
  const made = policyItem(page, 'Policy 2: Repeats of batch 51');
  await expect(made).toContainText('Batch 51, by Asad Admin');
  await made.locator('summary').click();
  await expect(made).toContainText('The better grade countsIn policy 1: Every attempt counts');
  await expect(made).toContainText('2.20In policy 1: 2.00');
  await expectNoSeriousAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);

  // The next policy of the batch starts from these rules, and what was typed stays.
  await page.getByRole('link', { name: 'New policy' }).click();
  await field(page, 'SGPA for a warning').fill('1.9');
  await page.getByRole('radio', { name: 'Some batches' }).check();
  await page.getByRole('checkbox', { name: '51 1 student' }).check();
  await expect(page.getByText('The rules below start from policy 2')).toBeVisible();
  await expect(field(page, 'CGPA for probation')).toHaveValue('2.2');
  await expect(field(page, 'SGPA for a warning')).toHaveValue('1.9');
  await page.getByRole('link', { name: 'Cancel' }).click();

  await follow(page, '/history?kind=policies');
  const entry = page.getByRole('listitem', { name: /^Entry/ });
  await expect(entry).toContainText('Asad Admin made grading policy 2: Repeats of batch 51');
  await entry.locator('summary').click();
  await expect(entry).toContainText('SGPA for a warning');
  await expect(entry).toContainText('A 85, B+ 81, B 75');
});

test('an administrator sees a new preview when records have changed meanwhile, and the progress of a policy', async ({
  page,
  ownServer: { url },
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const admin = await registerUser(url, 'Asad Admin');
  const api = new Api(url, admin.token);
  await enterRepeater(api, '51');
  await signIn(page, admin);
  await page.goto(`${url}/settings/grading/create`);
  await field(page, 'Name').fill('Latest attempts');
  await field(page, 'Repeated courses').selectOption({ label: 'The latest grade counts' });
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByText('Changes the CGPA of 1 student of 1.')).toBeVisible();
  await enterRepeater(api, '52');
  await page.getByRole('button', { name: 'Create policy 2' }).click();
  await expect(page.getByRole('alert')).toContainText('The records have changed since the preview.');
  await expect(page.getByText('Changes the CGPA of 2 students of 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Create policy 2' }).click();
  await expect(page.getByText('Policy 2 holds for all batches.')).toBeVisible();
  await expect(policyItem(page, 'Policy 1: As specified')).toContainText('Superseded');

  // The page follows a policy until all students have figures by it.
  const body = { degrees: null, rules: {} };
  const { fingerprint } = await api.post<PolicyPreview>('/api/policies/preview', body);
  await api.post('/api/policies', { name: 'As before', ...body, fingerprint });
  const policies = await api.get<Policy[]>('/api/policies');
  let done = 1_250;
  await page.route('**/api/policies', async (route) => {
    const progress = done < 100_000 ? { done, of: 100_000 } : null;
    await route.fulfill({ json: policies.map((one, i) => (i === 0 ? { ...one, progress } : one)) });
  });
  await page.goto(`${url}/settings/grading`);
  await expect(page.getByText('1,250 of 100,000 students')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Applying policy 3' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  done = 50_000;
  await expect(page.getByText('50,000 of 100,000 students')).toBeVisible();
  done = 100_000;
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});
