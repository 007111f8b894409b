import type { Api } from '../../../support/api.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { fillFamilyForm } from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aFamily } from '../../../support/records.ts';

const SUBJECTS = [{ title: 'Calculus', credits: 3, grade: 'A' }] as const;

/**
 * Clicks twice at the position of the button. The second click comes as soon as another form is on the page, and hits
 * whatever element is at that position by then.
 */
async function clickTwice(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  // Waits until this form can be clicked, since it may have just replaced another one.
  await button.click({ trial: true });
  const box = await button.boundingBox();
  if (box === null) throw new Error(`The button ${name} is not on the screen.`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const form = await button.evaluateHandle((element) => element.closest('form'));
  const second = page.evaluate(
    ([x, y, form]) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (form?.isConnected || document.querySelector('form button[type="submit"]') === null) return;
          observer.disconnect();
          const under = document.elementFromPoint(x, y);
          if (under instanceof HTMLElement) under.click();
          resolve();
        });
        observer.observe(document, { childList: true, subtree: true });
      }),
    [x, y, form] as const,
  );
  await page.mouse.click(x, y);
  await second;
}

const countSemesters = async (api: Api, id: string) =>
  (await api.get<{ academics: unknown[] }>(`/api/students/${id}`)).academics.length;

/** Waits until a form sent by the second click would have been requested: two frames and one more request. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    await fetch('/api/health');
  });

test('two clicks send one step of an entry or an edit and not the next one, with reduced motion too', async ({
  staffPage: page,
  api,
}) => {
  const entry = await api.createStudent({ current_sem: 3 });
  const { id } = await api.createRecord([SUBJECTS, SUBJECTS, SUBJECTS], { current_sem: 3 });
  const other = await api.createRecord([SUBJECTS, SUBJECTS]);

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await test.step('a new entry', async () => {
    await page.goto(`/students/${entry.id}/family/create`);
    await fillFamilyForm(page, aFamily(entry.id));
    await clickTwice(page, 'Create Entry');
    await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
    await settle(page);
    expect(await countSemesters(api, entry.id)).toBe(0);
  });

  await test.step('an edit', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.url());
    });
    await follow(page, `/students/${id}/edit`);
    await clickTwice(page, 'Update Entry');
    await expect(page).toHaveURL(`/students/${id}/family/edit`);
    await settle(page);
    expect(sent).toHaveLength(1);
    await clickTwice(page, 'Update Entry');
    await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
    await settle(page);
    expect(sent).toHaveLength(2);
    await clickTwice(page, 'Update Semester Entry');
    await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
    await settle(page);
    expect(sent).toHaveLength(3);
  });

  await test.step('the keyboard sends a form as soon as it is shown', async () => {
    await follow(page, `/students/${other.id}/family/edit`);
    const update = page.getByRole('button', { name: 'Update Entry' });
    await update.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/students/${other.id}/academics/edit`);
    await expectScreen(page, 'Edit Academics');
  });

  await test.step('with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
    await clickTwice(page, 'Update Semester Entry');
    await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
    await settle(page);
    await expect(page).toHaveURL(`/students/${other.id}/academics/edit`);
  });
});
