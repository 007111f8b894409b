import sharp from 'sharp';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectNoSidewaysScrolling, expectScreen, follow } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

const REFUSAL = 'Only an administrator can change the settings.';
const getRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('an administrator adds a term, corrects its dates after seeing what another user changed, deletes it and undoes that', async ({
  page,
  admin,
  expectedProblems,
  server,
}) => {
  await test.step('an administrator adds a term, corrects its dates, deletes it and undoes that', async () => {
    expectedProblems.add(422);
    const name = `Fall ${unique()}`;
    await signIn(page, admin);
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Terms' }).click();
    await expectScreen(page, 'Terms');
    await page.getByRole('link', { name: 'Add term' }).click();
    await expectScreen(page, 'Add a term');
    await expect(field(page, 'Name')).toBeFocused();
    await field(page, 'Name').fill(name);
    await page.getByLabel('Start').fill('2090-09-07');
    await page.getByLabel('End').fill('2090-02-01');
    await expect(page.getByText('1 February 2090')).toBeVisible();
    await page.getByRole('button', { name: 'Add term' }).click();
    await expect(page.getByText('The end must be after the start.')).toBeVisible();
    await expectNoSeriousAxeFindings(page);

    // What was typed outlives a reload.
    await page.reload();
    await expect(page.getByLabel('Start')).toHaveValue('2090-09-07');
    await page.getByLabel('End').fill('2091-02-01');
    await page.getByRole('button', { name: 'Add term' }).click();
    await expect(getRow(page, name)).toContainText('7 September 2090');
    await expect(getRow(page, name)).toContainText('Planned');
    await expectNoSeriousAxeFindings(page);

    await page.getByRole('link', { name: `Edit ${name}` }).click();
    await page.getByLabel('End').fill('2091-01-22');
    await page.getByRole('button', { name: 'Update term' }).click();
    await expect(getRow(page, name)).toContainText('22 January 2091');

    await page.getByRole('link', { name: `Edit ${name}` }).click();
    await page.getByRole('button', { name: 'Delete term' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByText('Term deleted successfully')).toBeVisible();
    await expectScreen(page, 'Terms');
    await expect(getRow(page, name)).toHaveCount(0);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(`${name} has been restored.`)).toBeVisible();
    await expect(getRow(page, name)).toContainText('22 January 2091');

    await follow(page, '/history?kind=terms');
    const restored = page
      .getByRole('listitem', { name: /^Entry/ })
      .filter({ hasText: name })
      .first();
    await expect(restored).toContainText(`Asad Admin restored the term: ${name}`);
  });

  await test.step('an administrator sees what another user changed in a term before it is replaced', async () => {
    expectedProblems.add(412);
    const api = new Api(server.url, admin.token);
    const name = `Spring ${unique()}`;
    const term = { name, starts_on: '2091-02-08', ends_on: '2091-06-11' };
    const { term: stored } = await api.post<{ term: { term_id: number } }>('/api/terms', term);
    const path = `/api/terms/${stored.term_id}`;
    await follow(page, `/settings/terms/${stored.term_id}`);
    await page.getByLabel('Start').fill('2091-02-09');
    expect((await api.send('PUT', path, { ...term, starts_on: '2091-02-15' })).status).toBe(200);
    await page.getByRole('button', { name: 'Update term' }).click();
    await expect(page.getByRole('row', { name: 'Start 2091-02-15 2091-02-09' })).toBeVisible();
    await page.getByRole('button', { name: 'Use the stored value: Start' }).click();
    await page.getByRole('button', { name: 'Update term' }).click();
    await expect(getRow(page, name)).toContainText('15 February 2091');
  });
});

test('an administrator enters the institution with its logo, sees it as it stands on paper, and what another changes', async ({
  page,
  ownServer: { url },
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const admin = await registerUser(url, 'Asad Admin');
  const logo = sharp({ create: { width: 60, height: 60, channels: 3, background: '#165677' } });
  await signIn(page, admin);
  await page.goto(`${url}/settings/terms`);
  await expect(page.getByRole('heading', { name: 'No term has been added yet.' })).toBeVisible();
  await follow(page, '/settings');
  await field(page, 'Name').fill('Rohtas College of Engineering');
  await field(page, 'Address').fill('Grand Trunk Road\nJhelum');
  await field(page, 'Name of signatory 1').fill('Farhan Jogi');
  await page.getByLabel('Logo', { exact: true }).setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await logo.png().toBuffer(),
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Each signatory needs a name and a title.')).toBeVisible();
  await page.getByRole('link', { name: 'Signatories' }).click();
  await expect(page.getByRole('group', { name: 'Signatories' })).toBeFocused();
  await field(page, 'Title of signatory 1').fill('Registrar');
  const warning = page.getByText(/^Nobody outside of this network reaches/);
  await expect(warning).toContainText(url);
  await expect(page.getByText('Left empty: the address of the server.')).toBeVisible();
  await field(page, 'Public address').fill('http://192.168.1.7');
  await expect(warning).toContainText('http://192.168.1.7');
  await field(page, 'Public address').fill('records.rce.example.edu');
  await field(page, 'Computer and Software Engineering').fill(
    'Bachelor of Engineering in Computer Engineering',
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('must be an address without a path')).toBeVisible();
  await field(page, 'Public address').fill('https://records.rce.example.edu');
  await expect(warning).toBeHidden();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Institution updated successfully')).toBeVisible();
  await expect(page.getByText('All changes are saved.')).toBeVisible();

  await page.reload();
  await expect(field(page, 'Address')).toHaveValue('Grand Trunk Road\nJhelum');
  await expect(field(page, 'Public address')).toHaveValue('https://records.rce.example.edu');
  await expect(field(page, 'Computer and Software Engineering')).toHaveValue(
    'Bachelor of Engineering in Computer Engineering',
  );
  const paper = page.getByRole('complementary', { name: 'On paper' });
  await expect(paper).toContainText('Rohtas College of Engineering');
  await expect(paper).toContainText('Farhan JogiRegistrar');
  await expect(paper.getByRole('img', { name: 'Logo' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
  await follow(page, '/settings/terms');
  await expectNoSidewaysScrolling(page);

  await test.step('and sees what another administrator has changed meanwhile, also when the own changes are discarded', async () => {
    expectedProblems.add(412);
    await page.setViewportSize({ width: 1440, height: 900 });
    await follow(page, '/settings');
    await field(page, 'Address').fill('Another road');
    const other = new Api(url, admin.token);
    const { short_name } = await other.get<{ short_name: string }>('/api/institution');
    const stored = {
      ...{ name: 'Rohtas University', short_name, address: 'Canal Road', logo: null },
      signatories: [{ name: 'Farhan Jogi', title: 'Registrar' }],
    };
    expect((await other.send('PUT', '/api/institution', stored)).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: 'Address Canal Road Another road' })).toBeVisible();
    await expect(field(page, 'Name')).toHaveValue('Rohtas University');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect(field(page, 'Address')).toHaveValue('Canal Road');
    await expect(page.getByRole('row', { name: /^Address/ })).toBeHidden();
    await field(page, 'Short name').fill('RU');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('All changes are saved.')).toBeVisible();
    expect(await other.get('/api/institution')).toMatchObject({ short_name: 'RU', address: 'Canal Road' });
  });
});

test('staff and viewers find no settings, and are refused their pages', async ({
  page,
  server,
  account,
  admin,
}) => {
  const viewer = await registerUser(server.url, 'Vera Viewer');
  const user = { ...viewer.user, role: 'viewer' as const };
  const api = new Api(server.url, admin.token);
  const changed = await api.send('PUT', `/api/users/${user.id}`, { ...user, password: admin.password });
  expect(changed.status).toBe(200);
  for (const person of [account, { ...viewer, user }]) {
    await signIn(page, person);
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Insights' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0);
    for (const path of [
      ...['/settings', '/settings/terms', '/settings/terms/create', '/settings/terms/1'],
      ...['/settings/grading', '/settings/grading/create'],
    ]) {
      await follow(page, path);
      await expect(page.getByRole('heading', { name: REFUSAL })).toBeVisible();
      await expect(page.getByRole('main').locator('form')).toHaveCount(0);
    }
  }
});
