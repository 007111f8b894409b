import type { Locator } from '@playwright/test';
import { clockTest, expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field, password } from '../../support/browser/forms.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';
import { Server } from '../../support/processes/server.ts';
import { unique } from '../../support/records.ts';

const readSessionStorage = (page: Page) =>
  page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>);
/** The computed value of a colour token of the design. */
const colour = (page: Page, name: string) =>
  page.evaluate((token) => {
    const probe = document.createElement('i');
    probe.style.color = `var(--${token})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

async function expectRedFlicker(page: Page, input: Locator): Promise<void> {
  const red = await colour(page, 'danger');
  await expect(input).toHaveCSS('animation-name', 'flicker');
  await expect(input).toHaveCSS('border-top-color', red);
}

// Covers 2.3, 2.6, 2.7, 2.22, 2.25, 2.26, 2.58, 2.59, 2.60, 2.62, 2.63, 2.64, 2.66, 2.67, 2.68, 2.69, 2.70
// Covers 2.72, 5.10, 9.16
test('the Login, Register and recovery pages show their texts, fields and links, and slide between Login and Register', async ({
  page,
}) => {
  await test.step('the Login, Register and recovery pages show their texts, fields and links, and slide between Login and Register', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addInitScript(() => {
      const start = document.startViewTransition.bind(document);
      const slides: string[] = [];
      Object.assign(window, { slides });
      document.startViewTransition = (options) => {
        if (typeof options === 'object') slides.push(...(options?.types ?? []));
        return start(options);
      };
    });
    const slides = () => page.evaluate<string[]>('window.slides');
    await page.goto('/login');
    await expect(page).toHaveTitle('Login · Student Information Management System');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to the Login Page');
    await expect(page.getByText('Sign into your account.', { exact: true })).toBeVisible();
    await expect(page.locator('form input')).toHaveCount(2);
    await expect(field(page, 'Email')).toHaveAttribute('type', 'email');
    await expect(password(page)).toHaveAttribute('type', 'password');
    await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Sign up here', exact: true }).click();

    await expect(page).toHaveURL('/register');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to the Registeration Page');
    await expect.poll(slides).toEqual(['to-register']);
    await expect(page.getByText('Create your account.', { exact: true })).toBeVisible();
    await expect(page.locator('form input')).toHaveCount(4);
    await expect(field(page, 'Name')).toBeVisible();
    await expect(field(page, 'Email')).toHaveAttribute('type', 'email');
    await expect(password(page)).toBeVisible();
    await expect(password(page, 'Confirm Password')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Register', exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Sign in.', exact: true }).click();

    await expect(page).toHaveURL('/login');
    await expectScreen(page, 'Login');
    await expect.poll(slides).toEqual(['to-register', 'to-login']);
    await page.getByRole('link', { name: 'Forgot your password?', exact: true }).click();
    await expect(page).toHaveURL('/forgot-password');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recover Password');
    await expect(page.locator('form input')).toHaveCount(1);
    await expect(field(page, 'Email')).toHaveAttribute('type', 'email');
    await expect(page.getByRole('button', { name: 'Submit', exact: true })).toBeVisible();
    // The change between Login and Register slides, the change to another page does not.
    expect(await slides()).toEqual(['to-register', 'to-login']);
  });

  await test.step('a secondary link is underlined only on hover from 1024 pixels width, and always below', async () => {
    const link = page.getByRole('link', { name: 'Forgot your password?' });
    const underlineColour = () => link.evaluate((element) => getComputedStyle(element).textDecorationColor);
    const transparent = /^(transparent|rgba\(\d+, \d+, \d+, 0\))$/;
    await page.setViewportSize({ width: 1024, height: 800 });
    await follow(page, '/login');
    await expect.poll(underlineColour).toMatch(transparent);
    await link.hover();
    await expect.poll(underlineColour).not.toMatch(transparent);
    await page.mouse.move(0, 0);
    await expect.poll(underlineColour).toMatch(transparent);
    await page.setViewportSize({ width: 1023, height: 800 });
    await expect.poll(underlineColour).not.toMatch(transparent);
  });
});

// Covers 2.65, 2.71, 5.4, 7.6, 8.2, 8.3
test('errors are shown at their fields in red and flicker, and are cleared when the page is opened again', async ({
  page,
  expectedProblems,
}) => {
  expectedProblems.add(401).add(422);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Required');
  await expect(password(page)).toHaveAccessibleDescription('Required');
  await field(page, 'Email').fill('no address');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('The email must be an email address.');

  await field(page, 'Email').fill('nobody@faculty.example');
  await password(page).fill('not the password');
  await page.getByRole('button', { name: 'Sign In' }).click();
  const error = page.getByText('Invalid Creditentials.', { exact: true });
  await expect(error).toHaveCSS('color', await colour(page, 'danger-text'));
  await expectRedFlicker(page, field(page, 'Email'));
  await expectRedFlicker(page, password(page));

  await page.getByRole('link', { name: 'Sign up here' }).click();
  await expectScreen(page, 'Register');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription('Required');
  await expectRedFlicker(page, field(page, 'Name'));

  await page.getByRole('link', { name: 'Sign in.' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the Login Page' })).toBeVisible();
  await expect(page.getByText('Invalid Creditentials.')).toHaveCount(0);
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Sign up here' }).click();
  await expect(field(page, 'Name')).toBeVisible();
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
});

// Covers 2.24, 3.2, 4.33, 4.35, 6.1, 6.5, 6.6, 7.1
test('signing in stores the token and the user, opens Home and sends the token with requests; Logout removes both', async ({
  page,
  account,
}) => {
  await page.goto('/login');
  await field(page, 'Email').fill(account.user.email);
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL('/');
  const { id, email, name, role } = account.user;
  await expect
    .poll(() => readSessionStorage(page))
    .toMatchObject({
      'CURRENT-USER-ID': String(id),
      'CURRENT-USER-EMAIL': email,
      'CURRENT-USER-NAME': name,
      'CURRENT-USER-ROLE': role,
      'VISITED-PATH': '/',
    });
  const token = (await readSessionStorage(page))['AUTH-TOKEN'];
  expect(token).toMatch(/\S/);
  const usersRequest = page.waitForRequest('**/api/users');
  await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
  expect(await (await usersRequest).allHeaders()).toMatchObject({
    authorization: `Bearer ${token}`,
    accept: 'application/json',
  });
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();

  const logoutRequest = page.waitForRequest('**/api/logout');
  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  expect((await logoutRequest).method()).toBe('POST');
  await expect(page).toHaveURL('/login');
  expect(Object.keys(await readSessionStorage(page)).filter((key) => /^(AUTH|CURRENT)/.test(key))).toEqual(
    [],
  );
});

// Covers 2.76, 8.7
test('the email field of the recovery page turns red on a 401 response', async ({
  page,
  expectedProblems,
}) => {
  expectedProblems.add(401);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const serverWithMail = await Server.start({
    SIMS_SMTP_URL: 'smtp://127.0.0.1:9',
    SIMS_PUBLIC_URL: 'http://127.0.0.1:9',
    SIMS_REGISTRATION: 'open',
  });
  try {
    await page.route('**/api/forgot-password', (route) =>
      route.fulfill({ status: 401, json: { message: 'Not now.' } }),
    );
    await page.goto(`${serverWithMail.url}/forgot-password`);
    await field(page, 'Email').fill('sana@faculty.example');
    const recoveryRequest = page.waitForRequest('**/api/forgot-password');
    await page.getByRole('button', { name: 'Submit' }).click();
    expect((await recoveryRequest).postDataJSON()).toEqual({ email: 'sana@faculty.example' });
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true');
    await expectRedFlicker(page, field(page, 'Email'));
  } finally {
    // Leaves the page first: a request still under way would fail without its server.
    await page.goto('about:blank');
    await serverWithMail.dispose();
  }
});

// Covers 2.27, 2.74, 3.47, 4.52, 4.53, 9.11
clockTest('a message disappears after five seconds, or when it is closed', async ({ page }) => {
  await page.clock.install();
  let rounds = 0;
  const message = page.getByText('A recovery link will be sent to this email. (Feature in progress)', {
    exact: true,
  });
  const submit = async () => {
    await page.goto('/forgot-password');
    await expect(field(page, 'Email')).toBeVisible();
    rounds += 1;
    await page.clock.pauseAt(Date.now() + 3_600_000 * rounds);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(message).toBeVisible();
    await expect.poll(async () => (await message.boundingBox())?.y).toBeGreaterThan(800);
  };
  await submit();
  await page.clock.runFor(4900);
  await expect(message).toBeVisible();
  await page.clock.runFor(200);
  await expect(message).toHaveCount(0);

  await page.clock.resume();
  await submit();
  await page.getByRole('button', { name: 'Close message' }).click();
  await expect(message).toHaveCount(0);
});

// Covers 4.34, 5.20, 6.2, 8.6
test('below 1024 pixels a password mismatch is shown above the form; registering then signs in', async ({
  page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/register');
  await field(page, 'Name').fill('Sana Malik');
  const email = `${unique()}@faculty.example`;
  await field(page, 'Email').fill(email);
  await password(page).fill('a quiet afternoon');
  await password(page, 'Confirm Password').fill('a loud afternoon');
  await page.getByRole('button', { name: 'Register' }).click();
  const mismatch = page.getByText('The password confirmation does not match.').filter({ visible: true });
  await expect(mismatch).toHaveCount(1);
  const top = async (element: Locator) => (await element.boundingBox())?.y ?? 0;
  const isAbove = async (element: Locator) => (await top(mismatch)) < (await top(element));
  await expect.poll(() => isAbove(field(page, 'Name'))).toBe(true);

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(mismatch).toHaveCount(1);
  await expect.poll(() => isAbove(password(page, 'Confirm Password'))).toBe(false);

  await password(page, 'Confirm Password').fill('a quiet afternoon');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page).toHaveURL('/');
  expect(await readSessionStorage(page)).toMatchObject({
    'AUTH-TOKEN': expect.stringMatching(/\S/),
    'CURRENT-USER-ID': expect.stringMatching(/^\d+$/),
    'CURRENT-USER-EMAIL': email,
    'CURRENT-USER-NAME': 'Sana Malik',
    'CURRENT-USER-ROLE': expect.stringMatching(/^(admin|staff)$/),
  });
});
