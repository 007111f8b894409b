import { addCourse } from '../../support/browser/courses.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field, password } from '../../support/browser/forms.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

type Target = ReturnType<Page['locator']>;

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Target): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('The target did not get the focus within 60 presses of Tab.');
}

/** Waits until a new screen has focused its main element, which would otherwise interrupt a following `tabTo`. */
async function expectScreenWithFocus(page: Page, title: string): Promise<void> {
  await expectScreen(page, title);
  await expect(page.getByRole('main')).toBeFocused();
}

async function typeInto(page: Page, target: Target, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

test('staff sign in and enter a base record without a mouse', async ({ page, account }) => {
  await page.goto('/login');
  await expect(field(page, 'Email')).toBeFocused();
  await page.keyboard.type(account.user.email);
  await typeInto(page, password(page), account.password);
  await page.keyboard.press('Enter');
  await expectScreenWithFocus(page, 'Home');

  await tabTo(page, page.getByRole('navigation').getByRole('link', { name: 'Students' }));
  await page.keyboard.press('Enter');
  await expectScreenWithFocus(page, 'Students');
  await tabTo(page, page.getByRole('link', { name: 'Create New Entry' }));
  await page.keyboard.press('Enter');
  await expectScreen(page, 'Create an Entry');
  await expect(field(page, 'First name')).toBeFocused();

  const id = `T-${unique()}`;
  await page.keyboard.type('Ayesha');
  await typeInto(page, field(page, 'Last name'), 'Siddiqui');
  // Day and month are equal, so the order in which the browser asks for them does not matter.
  await typeInto(page, page.getByLabel('Date of birth'), '05052005');
  await typeInto(page, field(page, 'Gender'), 'Female');
  await typeInto(page, field(page, 'Registration number'), id);
  await typeInto(page, page.getByLabel('Joining date'), '09092023');
  await typeInto(page, field(page, 'Department'), 'Mechanical');
  await typeInto(page, field(page, 'Syndicate'), 'Syndicate C');
  await typeInto(page, field(page, 'Degree'), '44');
  await typeInto(page, field(page, 'Semester'), '1');
  for (const name of ['HSSC/FSC', 'SSC/Matric']) {
    const examination = page.getByRole('group', { name });
    await typeInto(page, field(examination, 'Marks'), '935.5');
    await typeInto(page, field(examination, 'Passing year'), '2023');
    await typeInto(page, field(examination, 'Division'), '1');
  }
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(`/students/${id}/family/create`);
  const created = await page.evaluate(async (student) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem('AUTH-TOKEN')}` };
    const response = await fetch(`/api/students/${student}/base`, { headers });
    return (await response.json()) as unknown;
  }, id);
  expect(created).toMatchObject({
    student: { dob: '2005-05-05', joining_date: '2023-09-09', gender: 'F', department: 'ME', syn: 'C' },
  });
});

test('pages for entry begin in their first field, after their data have loaded, too', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createStudent();
  const course = await addCourse(api);
  const firstFields: readonly [path: string, name: string][] = [
    [`/students/${id}/edit`, 'First name'],
    [`/students/${id}/family/create`, "Father's name"],
    ['/courses/create', 'Course ID'],
    [`/courses/${course.course_id}/edit`, 'Course code'],
    ['/marksheets/new', 'Course'],
  ];
  for (const [path, name] of firstFields) {
    await page.goto(path);
    await expect(field(page, name)).toBeFocused();
  }

  const admitted = await api.createRecord([]);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/api/students/${admitted.id}/base`, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(`/students/${admitted.id}/academics/create`);
  await expect(page.getByRole('dialog', { name: 'Loading student' })).toBeVisible();
  answer();
  await expect(page.getByRole('group', { name: 'Subject 1' }).getByLabel('Title')).toBeFocused();
});

test('Ctrl+Enter saves a form from a text of several lines', async ({ staffPage: page, api }) => {
  const { id } = await api.createStudent();
  await page.goto(`/students/${id}/edit`);
  const comments = field(page, 'Reasons/Comments');
  await comments.fill('Medical leave.');
  await comments.press('Enter');
  await expect(comments).toHaveValue('Medical leave.\n');
  await comments.press('Control+Enter');
  await expect(page).toHaveURL(`/students/${id}/family/create`);
  expect(await api.get(`/api/students/${id}/base`)).toMatchObject({ student: { reason: 'Medical leave.' } });
});

test('the first Tab stop skips the navigation; a rejected form moves the focus to its summary, whose links focus the fields', async ({
  staffPage: page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await tabTo(page, skip);
  await expect(skip).toBeInViewport();
  // What is waiting stands before the cards, and depends on other tests.
  await expect(page.getByRole('region', { name: 'Opened last' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('#main :is(a, button)').first()).toBeFocused();

  await follow(page, '/students/create');
  await expectScreen(page, 'Create an Entry');
  await expect(field(page, 'First name')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Create Entry' }));
  await page.keyboard.press('Enter');
  const summary = page.getByRole('alert');
  await expect(summary).toBeFocused();
  await tabTo(page, summary.getByRole('link', { name: 'Last name' }));
  await page.keyboard.press('Enter');
  await expect(field(page, 'Last name')).toBeFocused();
});
