import type { OpeningPreview } from '../../../src/contract/marksheets/openings.ts';
import { Api } from '../../support/api.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { addCourses, addScheme } from '../../support/browser/schemes.ts';
import { expectAccessible, expectScreen } from '../../support/browser/screens.ts';
import { aTerm, unique } from '../../support/records.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a term is previewed and opened by keyboard, and undone from its page and from the message', async ({
  page,
  admin,
  server,
}) => {
  const api = new Api(server.url, admin.token);
  const degree = unique().slice(0, 6);
  const [signals, networks, ethics, robots] = await addCourses(api, [
    'Signals and Systems of Distributed and Embedded Controllers',
    'Networks',
    'Ethics',
    'Robots',
  ]);
  if (!signals || !networks || !ethics || !robots) throw new Error('A course is missing.');
  const students = [];
  for (const first_name of ['Hira', 'Waleed', 'Amna'])
    students.push(await api.createRecord([], { department: 'MTS', degree, first_name, current_sem: 1 }));
  await addScheme(api, { department: 'MTS', degrees: [degree] }, [
    { key: 'A', options: [signals.course_id] },
    { key: 'B', options: [networks.course_id] },
    { key: 'C', title: 'Depth elective', options: [ethics.course_id, robots.course_id] },
  ]);
  await api.post(`/api/students/${students[0]?.id}/exceptions`, {
    ...{ row: 'B', course_id: null, reason: 'Passed elsewhere before.' },
  });
  const name = `Fall ${unique()}`;
  const { term } = await api.post<{ term: { term_id: number } }>('/api/terms', { ...aTerm(), name });
  const box = (text: string) => page.getByRole('checkbox', { name: text });
  const sheets = () => api.get<unknown[]>(`/api/sheets?term_id=${term.term_id}`);
  const chooseNone = async () => {
    for (const department of ['Computer', 'Electrical', 'Mechanical', 'Mechatronics']) {
      const all = box(department);
      if (await all.isDisabled()) continue;
      await all.setChecked(true);
      await all.press('Space');
    }
  };
  const openClass = async () => {
    await page.goto(`/marksheets?term=${term.term_id}`);
    await page.getByRole('link', { name: 'Open a term' }).press('Enter');
    await expectScreen(page, 'Open a term');
    await expect(page.getByRole('heading', { name: `Open ${name}` })).toBeVisible();
    // All classes are chosen; the test opens its own.
    await chooseNone();
    await expect(page.getByText('No class is chosen')).toBeVisible();
    await box(`MTS-${degree} Semester 1`).press('Space');
    await expect(button(page, 'Open 2 mark sheets')).toBeEnabled();
  };
  await signIn(page, admin);

  await test.step('shows the sheets of the chosen class, whom it leaves out, and what needs a choice', async () => {
    await openClass();
    await expect(page.getByRole('status').filter({ hasText: '2 new' })).toHaveText(
      '2 new, 1 student left out, 1 row skipped',
    );
    await button(page, /1 left out of Networks/).press('Enter');
    const dialog = page.getByRole('dialog', { name: /left out of Networks/ });
    await expect(dialog.getByRole('row').filter({ hasText: 'Hira' })).toContainText('The row is waived.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByText('Choose courses').press('Enter');
    await box(robots.course_code).press('Space');
    await expect(button(page, 'Open 3 mark sheets')).toBeEnabled();
    await box(ethics.course_code).press('Space');
    await expect(button(page, 'Open 4 mark sheets')).toBeEnabled();
    await expect(page.getByText('begins empty')).toHaveCount(2);
    await expectAccessible(page);
  });

  await test.step('opens it, and undoes it from its page but for what somebody has touched', async () => {
    await button(page, 'Open 4 mark sheets').press('Enter');
    await expectScreen(page, 'Opening of a term');
    await expect(page.getByRole('heading', { name: `4 mark sheets of ${name} are open` })).toBeVisible();
    await expect(page.getByText('Now: 4 of 4.')).toBeVisible();
    await expectAccessible(page);
    const [touched] = await api.get<{ sheet_id: number }[]>(`/api/sheets?term_id=${term.term_id}`);
    await api.put(`/api/sheets/${touched?.sheet_id}/teachers`, { ids: [admin.user.id] });
    await page.goto(`/settings/terms/${term.term_id}`);
    await button(page, 'Undo the opening').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Undo the opening?' });
    await expect(dialog.getByRole('list', { name: 'Kept' })).toContainText(`Mark sheet ${touched?.sheet_id}`);
    await expectAccessible(page);
    await button(page, 'Delete 3 mark sheets').press('Enter');
    await expect(page.getByText('3 mark sheets are deleted.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/^3 mark sheets were deleted by /)).toBeVisible();
    expect(await sheets()).toHaveLength(1);
  });

  await test.step('opens again what is missing, and takes it back from the message', async () => {
    await page.goto(`/marksheets/open?term=${term.term_id}`);
    const classes = [{ department: 'MTS', degree, semester: 1 }];
    const categories = [{ name: 'Final', weight: 100, components: [{ name: 'Final', max: 100 }] }];
    const { totals } = await api.post<OpeningPreview>(`/api/terms/${term.term_id}/openings/preview`, {
      ...{ classes, categories },
    });
    await expect(page.getByRole('heading', { name: `Open ${name}` })).toBeVisible();
    await chooseNone();
    await box(`MTS-${degree} Semester 1`).press('Space');
    await button(page, `Open ${totals.create} mark sheet`).press('Enter');
    await expectScreen(page, 'Opening of a term');
    await page.keyboard.press('F8');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `The opening of ${name} is undone` })).toBeVisible();
    expect(await sheets()).toHaveLength(1);
  });
});
