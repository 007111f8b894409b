import { Buffer } from 'node:buffer';
import sharp from 'sharp';
import type { Student } from '../../../../src/contract/students/students.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { field, fillStudentForm } from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aStudent } from '../../../support/records.ts';

const createPhotograph = async (name = 'ayesha.png', background = '#2f7399') => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 350, height: 450, channels: 3, background } })
    .png()
    .toBuffer(),
});

const group = (page: Page) => page.getByRole('group', { name: 'Portrait picture' });
const input = (page: Page) => group(page).locator('input[type=file]');
const selectButton = (page: Page) => group(page).getByRole('button', { name: /^Select / });
const portrait = (page: Page) => page.getByRole('img', { name: 'Portrait of Ayesha Siddiqui' });

/** Dispatches a drop or paste event that carries a PNG file. */
const dispatchFile = (page: Page, kind: 'drop' | 'paste', bytes: Buffer) =>
  page.evaluate(
    ([kind, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], `${kind}.png`, { type: 'image/png' }));
      const common = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...common, dataTransfer: data })
          : new ClipboardEvent('paste', { ...common, clipboardData: data }),
      );
    },
    [kind, bytes.toString('base64')] as const,
  );

// Covers 2.133, 3.20
test('a portrait is refused if it can’t be one, named after a reload, previewed, saved with the student and shown on the record', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422).add(413);
  const student = aStudent();
  await page.goto('/students/create');
  await fillStudentForm(page, student);

  await test.step('a file that can’t be a portrait is refused at the field, and nothing typed is lost', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    const png = (bytes: Buffer) => ({ name: 'huge.png', mimeType: 'image/png', buffer: bytes });
    await input(page).setInputFiles(png(Buffer.alloc(5 * 1024 * 1024 + 1)));
    const tooLarge = /The student portrait must be at most 5 MiB\./;
    await expect(selectButton(page)).toHaveAccessibleDescription(tooLarge);
    await expect(group(page).getByText(/^Chosen/)).toHaveCount(0);
    expect(sent).toEqual([]);

    await input(page).setInputFiles(png(Buffer.from('no picture')));
    await expect(selectButton(page)).not.toHaveAccessibleDescription(tooLarge);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    const notAPicture = /The student portrait must be a JPEG, PNG or WebP picture of at most 40 megapixels\./;
    await expect(selectButton(page)).toHaveAccessibleDescription(notAPicture);
    await expectNoSeriousAxeFindings(page);
    await page.getByRole('alert').getByRole('link', { name: 'Portrait picture' }).click();
    await expect(selectButton(page)).toBeFocused();
    // With a picture there is nothing else to give.
    await expect(field(page, 'Student portrait')).toHaveCount(0);

    // A proxy in front of the server may have a lower size limit than the server.
    await page.route('**/api/students', (route) => route.fulfill({ status: 413, body: '' }));
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(selectButton(page)).toHaveAccessibleDescription(tooLarge);
    await page.unroute('**/api/students');
    await expect(field(page, 'First name')).toHaveValue(student.first_name);
  });

  await test.step('after a reload the texts are kept, and the picture has to be chosen again', async () => {
    await input(page).setInputFiles(await createPhotograph());
    await expect(group(page).getByText('Selected: ayesha.png')).toBeVisible();
    await page.reload();
    await expect(field(page, 'First name')).toHaveValue('Ayesha');
    const lost = group(page).getByText('ayesha.png is not kept with a draft. Select it again.');
    await expect(lost).toBeVisible();
    const notice = page.getByRole('alert').filter({ hasText: 'has been restored' });
    await expect(notice).toContainText('has been restored, but not the file ayesha.png: select it again.');
    await input(page).setInputFiles(await createPhotograph());
    await expect(lost).toBeHidden();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect(group(page).getByRole('img')).toHaveCount(0);
  });

  await fillStudentForm(page, student);
  await input(page).setInputFiles(await createPhotograph());
  await expect(group(page).getByText('Selected: ayesha.png')).toBeVisible();
  await expect(group(page).getByRole('img', { name: 'ayesha.png' })).toHaveAttribute('src', /^blob:/);
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL(`/students/${student.id}/family/create`);
  await expectScreen(page, 'Family Data');

  const stored = await api.get<{ student: Student }>(`/api/students/${student.id}/base`);
  expect(stored.student.img).toMatch(/^\/api\/pictures\/[0-9a-f]{64}$/);
  expect(stored.student).toMatchObject({ first_name: 'Ayesha', degree: '44', phone_number: '0300-5550123' });

  await api.post('/api/students/family', {
    student_id: student.id,
    father_name: 'Imran Siddiqui',
    father_occupation: 'Civil engineer',
  });
  await follow(page, `/students/${student.id}`);
  await expect(portrait(page)).toHaveAttribute('src', /^blob:/);
  const shape = async () => {
    const { width, height } = (await portrait(page).boundingBox()) ?? { width: 0, height: 1 };
    return width / height;
  };
  await expect.poll(shape).toBeCloseTo(35 / 45, 1);
});

// Covers 2.133
test('a portrait is pasted, dropped, replaced and removed in the edit form', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  const { buffer } = await createPhotograph();
  await page.goto(`/students/${id}/edit`);
  await expect(selectButton(page)).toBeVisible();
  // The page adds its listeners for files a moment after it is rendered.
  await expect(async () => {
    await dispatchFile(page, 'paste', buffer);
    await expect(group(page).getByText('Selected: paste.png')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await dispatchFile(page, 'drop', buffer);
  await expect(group(page).getByText('Selected: drop.png')).toBeVisible();
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/students/${id}/family/edit`);
  await expectScreen(page, 'Edit Family');
  await follow(page, `/students/${id}`);
  await expect(portrait(page)).toBeVisible();

  await follow(page, `/students/${id}/edit`);
  await expect(group(page).getByRole('img', { name: 'Portrait picture' })).toBeVisible();
  await expect(field(page, 'Student portrait')).toHaveCount(0);
  await input(page).setInputFiles(await createPhotograph('other.png', '#ad5f19'));
  await expect(group(page).getByText('Selected: other.png')).toBeVisible();
  await group(page).getByRole('button', { name: 'Remove picture' }).click();
  await expect(selectButton(page)).toBeFocused();
  await expect(group(page).getByRole('img', { name: 'Portrait picture' })).toBeVisible();
  await group(page).getByRole('button', { name: 'Remove picture' }).click();
  await expect(group(page).getByRole('img')).toHaveCount(0);
  await expect(group(page).getByRole('textbox', { name: 'Student portrait' })).toHaveValue('');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/students/${id}/family/edit`);
  await expectScreen(page, 'Edit Family');
  await follow(page, `/students/${id}`);
  await expect(page.getByRole('img', { name: 'No portrait yet' })).toBeVisible();
});
