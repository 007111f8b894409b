import { expect, test } from '../support/browser/fixtures.ts';
import { field, password } from '../support/browser/forms.ts';
import { unique } from '../support/records.ts';

// Covers 3.38, 4.34
test('a new member of staff registers and arrives at Home', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Welcome to the Login Page' })).toBeVisible();
  await expect(page.getByText('Sign into your account.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign up here' }).click();

  await expect(page.getByRole('heading', { name: 'Welcome to the Registeration Page' })).toBeVisible();
  await expect(page.getByText('Create your account.')).toBeVisible();
  await field(page, 'Name').fill('Sana Malik');
  await field(page, 'Email').fill(`${unique()}@faculty.example`);
  await password(page).fill('a quiet afternoon');
  await password(page, 'Confirm Password').fill('a quiet afternoon');
  await page.getByRole('button', { name: 'Register' }).click();

  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await expect(page.getByRole('banner').getByText('Sana Malik')).toBeVisible();
});

// Covers 2.29, 2.45, 3.37, 3.50, 4.33, 4.35, 4.37, 4.38
test('staff sign in with their password, go on to the link they opened, stay signed in after a reload, and sign out', async ({
  page,
  account,
}) => {
  await page.goto('/courses?q=physics');
  await expect(page).toHaveURL('/login');
  await field(page, 'Email').fill(account.user.email.toUpperCase());
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Go on with Courses' }).click();
  await expect(page).toHaveURL('/courses?q=physics');
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();

  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'You will be logged out. Do you wish to proceed?' });
  await dialog.getByRole('button', { name: 'No' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();

  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => sessionStorage.getItem('AUTH-TOKEN'))).toBeNull();
});

// Covers 4.36
test('signing out ends the session on the server too', async ({ staffPage: page, server, account }) => {
  await page.goto('/');
  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL('/login');
  const response = await fetch(`${server.url}/api/users`, {
    headers: { Authorization: `Bearer ${account.token}` },
  });
  expect(response.status).toBe(401);
});

// Covers 7.5, 8.2
test('a wrong password marks both fields and keeps the email', async ({
  page,
  account,
  expectedProblems,
}) => {
  expectedProblems.add(401);
  await page.goto('/login');
  await field(page, 'Email').fill(account.user.email);
  await password(page).fill('not the password');
  await page.getByRole('button', { name: 'Sign In' }).click();

  await expect(page.getByText('Invalid Creditentials.')).toBeVisible();
  await expect(field(page, 'Email')).toHaveValue(account.user.email);
  await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL('/login');

  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
});

// Covers 2.61
test('the password can be shown and hidden', async ({ page }) => {
  await page.goto('/login');
  await password(page).fill('a quiet afternoon');
  await expect(password(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'password');
});

// Covers 5.18, 5.19, 7.3, 8.6
test('registration reports missing, mismatched and taken values and keeps the rest', async ({
  page,
  account,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/register');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription('Required');
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Required');
  await expect(password(page)).toHaveAccessibleDescription('Required');

  await field(page, 'Name').fill('Bilal Ahmed');
  await field(page, 'Email').fill(account.user.email);
  await password(page).fill('a quiet afternoon');
  await password(page, 'Confirm Password').fill('a loud afternoon');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(
    page.getByText('The password confirmation does not match.').filter({ visible: true }),
  ).toHaveCount(1);
  await expect(field(page, 'Name')).toHaveValue('Bilal Ahmed');

  await password(page, 'Confirm Password').fill('a quiet afternoon');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Already taken');
  await expect(field(page, 'Name')).toHaveValue('Bilal Ahmed');
  await expect(page).toHaveURL('/register');
});

// Covers 2.73, 2.74, 2.75
test('the recovery form without a mail server makes no request, shows a message and opens Login', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api')) calls.push(request.url());
  });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Recover Password' })).toBeVisible();
  await field(page, 'Email').fill('sana@faculty.example');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toContainText(
    'A recovery link will be sent to this email. (Feature in progress)',
  );
  expect(calls).toEqual([]);
});

// Covers 2.23, 6.10
test('a signed-out visitor is redirected to Login from any page for staff', async ({ page }) => {
  for (const path of ['/', '/students', '/students/create', '/students/409318', '/courses', '/list-users']) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
  }
  await page.goto('/password-recovery');
  await expect(page.getByText('please help')).toBeVisible();
});

// Covers 2.21, 6.9
test('a signed-in visitor to a page for guests is redirected to the last page visited', async ({
  staffPage: page,
}) => {
  await page.goto('/students');
  await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeVisible();
  for (const path of ['/login', '/register', '/forgot-password']) {
    await page.goto(path);
    await expect(page).toHaveURL('/students');
  }
});

test('signing out after the session has ended shows no error and discards what was typed', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await page.goto('/');
  expectedProblems.add(401);
  await page.getByRole('navigation').getByRole('link', { name: 'Courses' }).click();
  await page.getByRole('link', { name: 'Create New Course' }).click();
  await field(page, 'Course name').fill('Thermodynamics');
  const countDrafts = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('DRAFT:')).length);
  await expect.poll(countDrafts).toBe(1);
  await api.post('/api/logout');

  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('heading', { name: 'Welcome to the Login Page' })).toBeVisible();
  await expect(page.getByText('Your session has ended')).toHaveCount(0);
  expect(await countDrafts()).toBe(0);
});
