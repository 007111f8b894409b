import type { Locator, Page } from '@playwright/test';

/** Chooses a file of an import, whatever its type. */
export const chooseFile = (page: Page, name: string, content: string | Uint8Array): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });

/** The button of the preview with the number of rows that are new, changed, unchanged or refused. */
export const rowCount = (page: Page, name: string): Locator =>
  page
    .getByRole('group', { name: 'Rows by what happens to them' })
    .getByRole('button', { name: new RegExp(`^${name}`) });
