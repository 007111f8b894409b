import type { Browser, Page } from '@playwright/test';
import type { Account } from '../../tests/support/api.ts';

/** A new page with a signed-in user. */
export async function signedInPage(
  browser: Browser,
  url: string,
  { user, token }: Pick<Account, 'user' | 'token'>,
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/login`);
  const session = {
    'AUTH-TOKEN': token,
    'CURRENT-USER-ID': String(user.id),
    'CURRENT-USER-NAME': user.name,
    'CURRENT-USER-EMAIL': user.email,
    'CURRENT-USER-ROLE': user.role,
  };
  await page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
  }, session);
  return page;
}
