import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field, subjectCard } from '../../support/browser/forms.ts';
import { makeSheet, putMarks } from '../../support/browser/mark-sheets.ts';
import { expectAccessible, expectScreen, follow } from '../../support/browser/screens.ts';
import { aSemester } from '../../support/records.ts';

const resultsPath = ({ sheet_id }: Sheet) => `/marksheets/${sheet_id}/results`;
const REASON = 'Discussed in the department meeting.';

/** Moves the focus with Tab until this button has it, and presses it. */
async function pressByKeyboard(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name }).last();
  await button.waitFor();
  await expect(async () => {
    await page.keyboard.press('Tab');
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  }).toPass({ intervals: [1] });
  await page.keyboard.press('Enter');
}

test.beforeEach(async ({ page }) => {
  // Simulates a browser that cannot write to the disk directly.
  await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
});

test('a sheet is submitted by staff, confirmed by an administrator with the keyboard, notified and rectified', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  for (const status of [409, 422] as const) expectedProblems.add(status);
  const adminApi = new Api(server.url, admin.token);
  const { sheet, ids, degree } = await makeSheet({ api, admin: adminApi }, [90, 72, null]);
  const [first = '', second = '', third = ''] = ids;

  // Checks: what is refused names the students, warnings take reasons.
  await page.goto(resultsPath(sheet));
  await expect(page.getByText('Cells of 1 student are empty.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: third }).last()).toContainText('Ali 3');
  await expect(page.getByRole('button', { name: 'Submit' })).toBeDisabled();
  await expectAccessible(page);
  await putMarks(api, sheet, [[third, 20, null]]);
  await expect(page.getByText('Ready when each warning has a reason.')).toBeVisible();
  await page.getByRole('button', { name: 'Submit' }).click();
  const reasons = page.getByRole('textbox', { name: 'Reason' });
  await expect(reasons.first()).toBeFocused();
  await expect(reasons.first()).toHaveAccessibleDescription(/A reason of at least 10 characters is needed/);
  // What is emptied again stays empty.
  await reasons.first().fill('Rough');
  await reasons.first().fill('');
  await page.reload();
  await expect(reasons.first()).toHaveValue('');
  for (const reason of await reasons.all()) await reason.fill(REASON);
  await page.reload();
  await expect(reasons.first()).toHaveValue(REASON);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Mark sheet submitted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Submitted by Sana Malik/ })).toBeVisible();
  await expect(page.getByText(REASON).first()).toBeVisible();
  await expect(page.getByText('An administrator confirms it.')).toBeVisible();

  // It can be taken back and submitted again.
  await page.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take back this mark sheet' });
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await expect(field(dialog, 'Reason')).toHaveAttribute('aria-invalid', 'true');
  await field(dialog, 'Reason').fill('A script has turned up.');
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByRole('heading', { name: 'Checks' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  for (const reason of await reasons.all()) await reason.fill(REASON);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: /^Submitted by Sana Malik/ })).toBeVisible();

  // The administrator confirms with the keyboard alone.
  await signIn(page, admin);
  await page.goto(resultsPath(sheet));
  await expect(page.getByText('3 results with 3 credit hours in semester 1.')).toBeVisible();
  await expect(page.getByText('For 3 students the semester is not recorded yet')).toBeVisible();
  await page.getByText('Show each result').click();
  await expectAccessible(page);
  await page.keyboard.press('Home');
  await pressByKeyboard(page, 'Confirm 3 results');
  const question = page.getByRole('alertdialog', { name: 'Confirm 3 results of Signals?' });
  await expect(question.getByRole('button', { name: 'No' })).toBeFocused();
  await pressByKeyboard(page, 'Yes');
  await expect(page.getByText('Confirmed by Asad Admin', { exact: false }).first()).toBeVisible();
  await expect(page.getByText('Provisional until the class is notified.')).toBeVisible();
  await expect(page.getByText(/^Checksum [0-9a-f]{64}$/)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: first })).toContainText('Grade A');
  await expectAccessible(page);

  // The award list is printed from the results and from the class list.
  for (const tab of ['Results', 'Class']) {
    await page.getByRole('navigation', { name: 'Mark sheet' }).getByRole('link', { name: tab }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Award list' }).click();
    expect((await downloading).suggestedFilename()).toBe(`award-list-${sheet.sheet_id}.pdf`);
    await expect(page.getByText('The award list has been saved.').first()).toBeVisible();
  }
  await expectAccessible(page);

  // The record shows the grade, provisional.
  await follow(page, `/students/${first}`);
  const standing = page.getByRole('region', { name: 'GPA Standing' });
  await expect(standing).toContainText('Semester 1 is provisional until the class is notified');
  await expect(standing.getByRole('button', { name: /^Semester 1 Provisional SGPA 4.00/ })).toBeVisible();
  await standing.getByRole('button', { name: 'Explain' }).click();
  await expect(page.getByRole('dialog', { name: 'CGPA explained' })).toContainText('1 provisional');
  await page.keyboard.press('Escape');
  await standing.getByRole('button', { name: /^Semester 1 / }).click();
  await expect(page.getByRole('dialog', { name: 'Semester 1' })).toContainText('Provisional');
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Escape');

  // Notified, it is final.
  await follow(page, resultsPath(sheet));
  await page.getByRole('link', { name: 'Notify the class' }).click();
  await expectScreen(page, 'Result notifications');
  await expect(field(page, 'Batch')).toHaveValue(degree);
  const open = page.getByRole('table', { name: 'Classes that are not notified' });
  const ofClass = open.getByRole('row').filter({ hasText: `CE-${degree}, semester 1` });
  await expect(ofClass).toContainText('1 of 1 confirmed');
  await expectAccessible(page);
  await ofClass.getByRole('button', { name: /^Notify/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'No' }).click();
  await page.getByRole('button', { name: 'Notify the class' }).click();
  await page
    .getByRole('alertdialog', { name: `Make the results of CE-${degree} in semester 1 final?` })
    .getByRole('button', { name: 'Yes' })
    .click();
  const notification = page.getByRole('listitem').filter({ hasText: `CE-${degree}, semester 1` });
  await expect(notification).toContainText('3 students');
  await expect(ofClass).toHaveCount(0);
  await expectAccessible(page);
  await follow(page, `/students/${first}`);
  await expect(standing.getByRole('button', { name: /^Semester 1 SGPA 4.00/ })).toBeVisible();
  await expect(standing).not.toContainText('rovisional');

  // A rectification shows the difference, and writes changed rows alone.
  await follow(page, resultsPath(sheet));
  await expect(page.getByText(/Final since result notification \d+\./)).toBeVisible();
  await page.getByRole('button', { name: 'Rectify' }).click();
  const rectify = page.getByRole('dialog', { name: 'Rectify Signals' });
  await rectify.getByRole('button', { name: 'Open the rectification' }).click();
  await expect(field(rectify, 'What is corrected')).toBeFocused();
  await field(rectify, 'What is corrected').selectOption({ label: 'Marks added up or entered wrongly' });
  await field(rectify, 'Reason').fill('Question 4 was added up wrongly.');
  await expectNoSeriousAxeFindings(page);
  await rectify.getByRole('button', { name: 'Open the rectification' }).click();
  await page.waitForURL(
    (url) => /^\/marksheets\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${sheet.sheet_id}`),
  );
  const rectifying = Number(new URL(page.url()).pathname.split('/').at(-1));
  const opened = await api.get<{ sheet: Sheet }>(`/api/sheets/${rectifying}`);
  await putMarks(api, opened.sheet, [[second, 81, 72]]);
  await follow(page, `/marksheets/${rectifying}/results`);
  await expect(page.getByText('Rectifies mark sheet')).toBeVisible();
  await expect(page.getByText('1 row, 1 grade and the CGPA of 1 student.')).toBeVisible();
  const changed = page
    .getByRole('region', { name: 'Differences' })
    .getByRole('row')
    .filter({ hasText: second });
  await expect(changed).toContainText('was 72.00 → , now 81.00');
  await expect(changed).toContainText('was C+ → , now B+');
  await expectAccessible(page);
  for (const reason of await reasons.all()) await reason.fill(REASON);
  expect(
    (
      await api.send('POST', `/api/sheets/${rectifying}/submit`, {
        reasons: Object.fromEntries(
          ['max-a-share', 'max-f-share', 'class-list', 'mean-off'].map((rule) => [rule, REASON]),
        ),
      })
    ).status,
  ).toBe(200);
  await page.getByRole('button', { name: 'Confirm 1 result' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'What changed' })).toBeVisible();
  await expect(changed).toContainText('was C+ → , now B+');

  // The history says it in words.
  await page.getByRole('link', { name: 'Changes' }).click();
  const entries = page.getByRole('listitem', { name: /^Entry/ });
  await expect(entries.first()).toContainText('Asad Admin confirmed the mark sheet');
  await expect(entries.last()).toContainText('Asad Admin opened a rectification, mark sheet');
  await follow(page, '/history?kind=result-notifications');
  await expect(entries.first()).toContainText(
    `made final the results of CE-${degree} in semester 1, notification`,
  );
});

test('who has submitted a sheet does not confirm it, and a preview that is out of date is shown again', async ({
  page,
  server: { url },
  admin,
  api,
  expectedProblems,
}) => {
  for (const status of [409, 412, 422] as const) expectedProblems.add(status);
  const adminApi = new Api(url, admin.token);
  const second = await registerUser(url, 'Hina Sabzwari');
  const promoted = await adminApi.send('PUT', `/api/users/${second.user.id}`, {
    ...{ id: second.user.id, name: second.user.name, email: second.user.email },
    ...{ role: 'admin', password: admin.password },
  });
  expect(promoted.status, await promoted.text()).toBe(200);
  const { sheet, ids } = await makeSheet({ api, admin: adminApi }, [90, 72]);
  const reasons = { 'max-a-share': REASON };
  await adminApi.post(`/api/sheets/${sheet.sheet_id}/submit`, { reasons });
  const confirm = async () => {
    await page.getByRole('button', { name: 'Confirm 2 results' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
  };

  await signIn(page, admin);
  await page.goto(resultsPath(sheet));
  await expect(page.getByText('another administrator has to confirm it')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);

  // Another subject is recorded between the preview and the confirmation.
  await signIn(page, { ...second, user: { ...second.user, role: 'admin' } });
  await page.goto(resultsPath(sheet));
  await expect(page.getByText('For 2 students the semester is not recorded yet')).toBeVisible();
  await api.post(
    '/api/students/academics',
    aSemester(ids[0] ?? '', 1, [{ title: 'Drawing', credits: 3, grade: 'A' }]),
  );
  await confirm();
  await expect(page.getByRole('alert')).toContainText('Below is what confirming writes now.');
  await expect(page.getByText('For 1 student the semester is not recorded yet')).toBeVisible();
  await confirm();
  await expect(page.getByText('Confirmed by Hina Sabzwari', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('rows that can’t be written are left and recorded later, and results that a sheet wrote are not changed by the form', async ({
  page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  await test.step('rows that can’t be written are listed with the reason, left on the sheet, and recorded later', async () => {
    const adminApi = new Api(server.url, admin.token);
    const { sheet, ids } = await makeSheet({ api, admin: adminApi }, [90, 72]);
    await api.post(
      '/api/students/academics',
      aSemester(ids[1] ?? '', 1, [{ title: 'Signals', credits: 3, grade: 'D', courseId: sheet.course_id }]),
    );
    await api.post(`/api/sheets/${sheet.sheet_id}/submit`, { reasons: { 'max-a-share': REASON } });
    await signIn(page, admin);
    await page.goto(resultsPath(sheet));
    const blocked = page.getByRole('region', { name: '1 result can’t be written' });
    await expect(blocked.getByRole('listitem')).toContainText('has another grade for this course: D.');
    await expect(blocked.getByRole('listitem')).toContainText('Ali 2');
    await expect(blocked).toContainText('or send the sheet back to take the student off the list.');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm 1 result' }).click();
    const question = page.getByRole('alertdialog', {
      name: 'Confirm 1 result of Signals; 1 stays on the sheet?',
    });
    await question.getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByText('Confirmed by Asad Admin', { exact: false }).first()).toBeVisible();
    const left = page.getByRole('region', { name: '1 result can’t be written yet' });
    await expect(left.getByRole('listitem')).toContainText('has another grade for this course: D.');
    await expect(page.getByRole('row').filter({ hasText: 'Ali 2' })).toContainText('Not recorded');
    await expectAccessible(page);
    const record = await api.get<{ academics: { academic_id: number }[] }>(`/api/students/${ids[1]}`);
    const academic = `/api/students/academics/${record.academics[0]?.academic_id}`;
    expect((await adminApi.send('DELETE', academic)).status).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'Record 1 result' }).click();
    await page
      .getByRole('alertdialog', { name: 'Record 1 result of Signals?' })
      .getByRole('button', { name: 'Yes' })
      .click();
    await expect(page.getByText('Results recorded successfully')).toBeVisible();
    await expect(page.getByText('Not recorded')).toHaveCount(0);
  });

  await test.step('results that a sheet wrote are not changed by the form, which leads to the sheet', async () => {
    for (const status of [409, 422] as const) expectedProblems.add(status);
    const adminApi = new Api(server.url, admin.token);
    const { sheet, ids } = await makeSheet({ api, admin: adminApi }, [90]);
    const path = `/api/sheets/${sheet.sheet_id}`;
    await api.post(`${path}/submit`, { reasons: { 'max-a-share': REASON } });
    const { fingerprint } = await adminApi.get<{ fingerprint: string }>(`${path}/confirm`);
    await adminApi.post(`${path}/confirm`, { fingerprint });
    await follow(page, `/students/${ids[0]}/academics/edit?semester=1`);
    await expect(page.getByText('Its other subjects are changed with a reason.')).toBeVisible();
    await expect(field(subjectCard(page, 1), 'Grade')).toBeDisabled();
    await page.getByRole('link', { name: `Mark sheet ${sheet.sheet_id}` }).click();
    await expect(page.getByRole('button', { name: 'Rectify' })).toBeVisible();
  });

  await test.step('a rectification lists a deleted student only while their row differs', async () => {
    const adminApi = new Api(server.url, admin.token);
    const { sheet, ids } = await makeSheet({ api, admin: adminApi }, [64, 72]);
    const path = `/api/sheets/${sheet.sheet_id}`;
    await api.post(`${path}/submit`, { reasons: {} });
    const { fingerprint } = await adminApi.get<{ fingerprint: string }>(`${path}/confirm`);
    await adminApi.post(`${path}/confirm`, { fingerprint });
    const [deleted = '', present = ''] = ids;
    expect((await adminApi.send('DELETE', `/api/students/${deleted}`)).status).toBe(200);
    const opened = await api.post<{ sheet: Sheet }>(`${path}/rectify`, {
      ...{ kind: 'totalling', reason: 'Question 4 was added up wrongly.' },
    });
    await putMarks(api, opened.sheet, [
      [deleted, 70, 64],
      [present, 76, 72],
    ]);
    await follow(page, resultsPath(opened.sheet));
    const blocked = page.getByRole('region', { name: '1 result can’t be written' });
    await expect(blocked).toContainText('The student is deleted.');
    await expect(blocked).toContainText(`or leave the row as it is in mark sheet ${sheet.sheet_id}.`);
    await putMarks(api, opened.sheet, [[deleted, 64, 70]]);
    await api.post(`/api/sheets/${opened.sheet.sheet_id}/submit`, { reasons: {} });
    await page.reload();
    await expect(page.getByRole('button', { name: 'Confirm 1 result' })).toBeEnabled();
    await expect(blocked).toHaveCount(0);
  });
});
