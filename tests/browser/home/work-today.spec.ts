import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { makeSheet } from '../../support/browser/mark-sheets.ts';
import { Server } from '../../support/processes/server.ts';

test('Home lists the classes with incomplete entries and the records opened last', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
    current_sem: 4,
  });
  await page.goto(`/students/${student.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();

  const opened = page.getByRole('region', { name: 'Opened last' }).getByRole('listitem');
  await expect(opened.filter({ hasText: student.id })).toContainText('Incomplete');
  const toComplete = page.getByRole('region', { name: 'Entries to complete' });
  await toComplete.getByRole('listitem').first().getByRole('link').click();
  await expect(page).toHaveURL(/incomplete=true/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});

test('Home leads an administrator through the first steps, and shows what staff submitted and got back', async ({
  page,
  ownServer,
}) => {
  const boss = await registerUser(ownServer.url, 'Hina Sabzwari');
  const admin = new Api(ownServer.url, boss.token);
  await signIn(page, boss);
  await page.goto(`${ownServer.url}/`);
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  await expect(steps).toHaveCount(6);
  await expect(page.getByText('Nothing is waiting.')).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await steps.getByRole('link', { name: 'Name the institution' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Rohtas College');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(steps.filter({ hasText: 'Name the institution (done)' })).toHaveCount(1);

  const teacher = await registerUser(ownServer.url, 'Bilal Ahmed');
  const api = new Api(ownServer.url, teacher.token);
  const { sheet, degree } = await makeSheet({ api, admin }, [70, 65, 62, 58, 55]);
  const path = `/api/sheets/${sheet.sheet_id}`;
  const submit = () =>
    api.send('POST', `${path}/submit`, { reasons: { 'small-class': 'Agreed by the board' } });
  expect((await submit()).status).toBe(200);
  await page.reload();
  const toConfirm = page.getByRole('region', { name: 'Mark sheets to confirm' });
  await expect(toConfirm.getByRole('listitem')).toContainText(`CE-${degree}`);
  await expect(toConfirm.getByRole('listitem')).toContainText('Bilal Ahmed');
  // Everything else is set up by now.
  await expect(steps.filter({ hasNotText: '(done)' })).toHaveText([/^Put a scheme of studies in force/]);
  // While nobody is a teacher, the office fills all mark sheets.
  const without = page.getByRole('region', { name: 'Mark sheets without a teacher' });
  await expect(without).toHaveCount(0);
  const filler = await registerUser(ownServer.url, 'Sumaira Naz');
  const role = { ...filler.user, role: 'teacher', password: boss.password };
  expect((await admin.send('PUT', `/api/users/${filler.user.id}`, role)).status).toBe(200);
  await page.reload();
  await expect(without.getByRole('listitem')).toContainText(`CE-${degree}`);
  await without.getByRole('link', { name: /^All/ }).click();
  const only = page.getByRole('button', { name: 'Without a teacher' });
  await expect(only).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('table', { name: 'Mark sheets' })).toContainText(`CE-${degree}`);
  await admin.send('PUT', `${path}/teachers`, { ids: [filler.user.id] });
  await page.reload();
  await expect(page.getByText('Every mark sheet has a teacher')).toBeVisible();
  await only.click();
  await expect(page.getByRole('table', { name: 'Mark sheets' })).toContainText(`CE-${degree}`);
  await page.goto(`${ownServer.url}/`);
  await expect(toConfirm).toBeVisible();
  await expect(without).toHaveCount(0);
  await toConfirm.getByRole('listitem').getByRole('link').click();
  await expect(page).toHaveURL(`${ownServer.url}/marksheets/${sheet.sheet_id}/results`);

  await admin.post(`${path}/take-back`, { reason: 'Two scripts are missing' });
  await signIn(page, teacher);
  await page.goto(`${ownServer.url}/`);
  const back = page.getByRole('region', { name: 'Mark sheets sent back to you' });
  await expect(back.getByRole('listitem')).toContainText('Hina Sabzwari: Two scripts are missing');
  await expectNoSeriousAxeFindings(page);
  await back.getByRole('listitem').getByRole('link').click();
  await expect(page.getByRole('alert')).toContainText(
    /Hina Sabzwari sent this mark sheet back on .*: Two scripts/,
  );
});

test('Home shows an administrator where the backups are and how often they are made', async ({ page }) => {
  const server = await Server.start({ SIMS_BACKUP_EVERY: '24' });
  try {
    await signIn(page, await registerUser(server.url, 'Hina Sabzwari'));
    await page.goto(`${server.url}/`);
    const backups = page.getByRole('region', { name: 'Backups' });
    // The first one may be there already.
    await expect(backups).toContainText(/Latest(None yet|.*\d\d:\d\d)Madeeach day/);
    await expect(backups).toContainText(`${server.dataDir}/backups`);
    await signIn(page, await registerUser(server.url, 'Bilal Ahmed'));
    await page.goto(`${server.url}/`);
    await expect(page.getByRole('region', { name: 'Opened last' })).toBeVisible();
    await expect(backups).toHaveCount(0);
    await page.goto('about:blank');
  } finally {
    await server.dispose();
  }
});
