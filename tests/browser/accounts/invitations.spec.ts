import { test as base, expect, type Page } from '../../support/browser/fixtures.ts';
import { field, password } from '../../support/browser/forms.ts';
import { expectAccessible } from '../../support/browser/screens.ts';
import { Server } from '../../support/processes/server.ts';
import { unique } from '../../support/records.ts';

const ADMIN_PASSWORD = 'seven wet umbrellas';

const test = base.extend<{ closedServer: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the requested fixtures from this pattern.
  closedServer: async ({}, use) => {
    const server = await Server.start({ SIMS_REGISTRATION: 'closed' });
    await use(server);
    await server.dispose();
  },
});

/** Confirms the open dialog with the administrator's password, and answers the link that is shown then. */
async function confirmAndReadLink(page: Page, act: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Your Current Password/).fill(ADMIN_PASSWORD);
  await dialog.getByRole('button', { name: act, exact: true }).click();
  const link = dialog.getByRole('textbox', { name: 'Link', exact: true });
  await expect(link).toHaveValue(/#token=/);
  return link.inputValue();
}

async function choosePassword(page: Page, text: string, act: string): Promise<void> {
  await page.getByLabel(/^New Password/).fill(text);
  await password(page, 'Confirm Password').fill(text);
  await page.getByRole('button', { name: act }).click();
}

test('the first account is the administrator, who invites a user and resets their password by links', async ({
  page,
  closedServer: { url },
}) => {
  await page.goto(`${url}/register`);
  await expect(page.getByText('The first account becomes the administrator.')).toBeVisible();
  await field(page, 'Name').fill('Asad Admin');
  await field(page, 'Email').fill(`${unique()}@faculty.example`);
  await password(page).fill(ADMIN_PASSWORD);
  await password(page, 'Confirm Password').fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();

  const email = `${unique()}@faculty.example`;
  await page.getByRole('button', { name: 'Invite a user' }).click();
  await expectAccessible(page);
  const dialog = page.getByRole('dialog');
  await expect(field(dialog, 'Name')).toBeFocused();
  await field(dialog, 'Name').fill('Sana Malik');
  await field(dialog, 'Email').fill(email);
  await field(dialog, 'Role').selectOption('viewer');
  const invitation = await confirmAndReadLink(page, 'Invite');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByRole('button', { name: 'Invite a user' })).toBeFocused();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Invited');
  await expect(page.getByText(/^Invited. The link works until /)).toBeVisible();

  // A tab of its own is not signed in.
  const tab = await page.context().newPage();
  await tab.goto(`${url}/register`);
  await expect(field(tab, 'Name')).toBeVisible();
  await expect(tab.getByText('The first account becomes the administrator.')).toHaveCount(0);
  await tab.goto(invitation);
  await expectAccessible(tab);
  await expect(tab).toHaveURL(`${url}/invitation`);
  await choosePassword(tab, 'four dry umbrellas', 'Set Password and Sign In');
  await expect(tab.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await expect(tab.getByRole('banner').getByText('Sana Malik')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: email })).not.toContainText('Invited');
  await page.getByRole('link', { name: 'Edit Sana Malik' }).click();
  await page.getByRole('button', { name: 'Reset password' }).click();
  const reset = await confirmAndReadLink(page, 'Make link');
  await tab.goto(reset);
  await choosePassword(tab, 'five dry umbrellas', 'Update Password');
  await expect(tab.getByText('The password has been set. Sign in with it.')).toBeVisible();
  await tab.close();
});
