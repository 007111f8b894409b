import path from 'node:path';
import { z } from 'zod';
import type { DocumentsInput, IssuedDocument } from '../../../src/contract/documents/documents.ts';
import { loadSqliteEngine } from '../../../src/server/db/sqlite/engine.ts';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling, follow } from '../../support/browser/screens.ts';
import type { Server } from '../../support/processes/server.ts';
import { INSTITUTION, type Subject } from '../../support/records.ts';

const RESULTS: readonly (readonly Subject[])[] = [
  [
    { title: 'Calculus', credits: 3, grade: 'A' },
    { title: 'Physics', credits: 3, grade: 'B' },
  ],
  [{ title: 'Statics', credits: 4, grade: 'A' }],
];

/** Issues a transcript, and reads the codes that stand on it. */
async function issueTranscript({ url, dataDir }: Pick<Server, 'url' | 'dataDir'>, api: Api, id: string) {
  const order: DocumentsInput = {
    kind: 'transcript',
    ids: [id],
    official: true,
    purpose: 'Visa',
    to: 'Embassy',
  };
  const { documents } = await api.post<{ documents: IssuedDocument[] }>('/api/documents', order);
  const { serial = '' } = documents[0] ?? {};
  const db = (await loadSqliteEngine()).open(path.join(dataDir, 'sims.db'), { readOnly: true });
  const rows = db.prepare('select code, hand_code from documents where serial = ?').all(serial);
  db.close();
  const [codes] = z.tuple([z.object({ code: z.string(), hand_code: z.string() })]).parse(rows);
  return {
    serial,
    qrAddress: `${url}/verify#${codes.code}`,
    /** As on the first documents. */
    earlierAddress: `${url}/verify/${codes.code}`,
    handCode: codes.hand_code,
  };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) })
    .getByRole('definition');

async function expectAccessibleOnPhones(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoSeriousAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
}

test('whoever scans a paper sees its figures, then that it is out of date, then that it was revoked', async ({
  page,
  api,
  server,
  admin,
}) => {
  const student = await api.createRecord(RESULTS, { first_name: 'Zarmina', last_name: 'Achakzai' });
  const issued = await issueTranscript(server, api, student.id);

  // Nobody is signed in.
  await page.goto(issued.earlierAddress);
  await expect(heading(page, 'This document is valid.')).toBeVisible();
  await page.goto(issued.qrAddress);
  await expect(heading(page, 'This document is valid.')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText(INSTITUTION.name);
  await expect(fact(page, 'Name')).toHaveText('Zarmina Achakzai');
  await expect(fact(page, 'CMS ID')).toHaveText(student.id);
  await expect(fact(page, 'Serial')).toHaveText(issued.serial);
  await expect(fact(page, 'Degree')).toContainText(
    'semesters 1 to 2, provisional: the degree is in progress',
  );
  await expect(fact(page, 'Credits')).toHaveText('10');
  await expect(fact(page, 'CGPA')).toHaveText('3.70 of 4.00');
  await expect(fact(page, 'SGPA of each semester')).toHaveText('Semester 1: 3.50Semester 2: 4.00');
  await expectAccessibleOnPhones(page);

  await api.send('PUT', `/api/students/${student.id}`, { ...student, first_name: 'Zarmeena' });
  await page.reload();
  await expect(heading(page, 'This document is out of date.')).toBeVisible();
  await expect(fact(page, 'Name')).toHaveText('Zarmina Achakzai');
  await expectAccessibleOnPhones(page);

  await new Api(server.url, admin.token).post(`/api/documents/${issued.serial}/revoke`, { reason: 'Lost' });
  await page.reload();
  await expect(heading(page, 'This document was revoked.')).toBeVisible();
  await expect(fact(page, 'Serial')).toHaveText(issued.serial);
  await expect(page.getByText('Zarmina')).toBeHidden();
  await expect(fact(page, 'CGPA')).toBeHidden();
  await expectAccessibleOnPhones(page);
});

test('serial and code are entered by hand, as people type them, and what resembles them is no code', async ({
  page,
  api,
  server,
  expectedProblems,
}) => {
  await test.step('serial and code are entered by hand, as people type them', async () => {
    expectedProblems.add(404);
    const student = await api.createRecord(RESULTS);
    const { serial, handCode } = await issueTranscript(server, api, student.id);
    const characters = page.getByLabel('Code beside the QR code');

    await page.goto('/verify');
    await expect(heading(page, 'Verify a document')).toBeVisible();
    await expect(page.getByRole('banner')).toContainText(INSTITUTION.name);
    await expectAccessibleOnPhones(page);
    await page.getByRole('button', { name: 'Check' }).click();
    await expect(page.getByLabel('Serial')).toBeFocused();
    await expect(
      page.getByText('Enter four digits, a dash and six digits, such as 2026-000001.'),
    ).toBeVisible();
    await expect(page.getByText('Enter the 24 characters beside the QR code')).toBeVisible();
    await expectAccessibleOnPhones(page);

    // One character is wrong: what was typed stays.
    const wrong = `${handCode.startsWith('7') ? '8' : '7'}${handCode.slice(1)}`;
    await page.getByLabel('Serial').fill(serial.replace('-', ' '));
    await characters.fill(wrong);
    await characters.press('Enter');
    await expect(heading(page, 'No document has this code.')).toBeVisible();
    await expect(page.getByLabel('Serial')).toHaveValue(serial);
    await expectAccessibleOnPhones(page);

    await characters.fill(` ${handCode.toLowerCase().replaceAll('0', 'o').match(/.{4}/g)?.join(' - ')}`);
    await characters.press('Enter');
    await expect(heading(page, 'This document is valid.')).toBeVisible();
    await expect(fact(page, 'CMS ID')).toHaveText(student.id);

    // The address can be kept, and opened again.
    await page.reload();
    await expect(heading(page, 'This document is valid.')).toBeVisible();
    await page.getByRole('link', { name: 'Verify another document' }).press('Enter');
    await expect(page.getByLabel('Serial')).toHaveValue('');
  });

  await test.step('a code with one character changed, and a serial alone, are no codes', async () => {
    expectedProblems.add(404);
    const student = await api.createRecord(RESULTS);
    const { serial, qrAddress } = await issueTranscript(server, api, student.id);
    await follow(
      page,
      `${qrAddress.slice(0, -9)}${qrAddress.at(-9) === 'A' ? 'B' : 'A'}${qrAddress.slice(-8)}`,
    );
    await expect(heading(page, 'No document has this code.')).toBeVisible();
    await expect(page.getByLabel('Serial')).toHaveValue('');
    await follow(page, `/verify/${serial}`);
    await expect(heading(page, 'No document has this code.')).toBeVisible();
    await expect(page.getByLabel('Serial')).toHaveValue(serial);
  });
});

test('a lost connection, too many wrong codes and an altered register are no verdict on the paper', async ({
  page,
  ownServer,
  expectedProblems,
}) => {
  expectedProblems.add('offline').add(429).add(404);
  const api = new Api(ownServer.url, (await registerUser(ownServer.url)).token);
  await api.nameInstitution();
  const student = await api.createRecord(RESULTS);
  const { qrAddress } = await issueTranscript(ownServer, api, student.id);

  const calls = '**/api/verify';
  await page.route(calls, (route) => route.abort('connectionrefused'));
  await page.goto(qrAddress);
  await expect(heading(page, 'The document could not be checked.')).toBeVisible();
  await expectAccessibleOnPhones(page);
  await page.unroute(calls);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(heading(page, 'This document is valid.')).toBeVisible();

  let status = 404;
  for (let n = 0; n < 100 && status === 404; n += 1) {
    status = (await api.send('GET', `/api/verify/2026-000001.${String(n).padStart(16, '0')}`)).status;
  }
  expect(status).toBe(429);
  await page.reload();
  await expect(heading(page, 'This document is valid.')).toBeVisible();
  await page.goto(`${ownServer.url}/verify#2026-000001.0000000000000000`);
  await expect(heading(page, 'Too many codes were tried.')).toBeVisible();
  await expect(page.getByText('Wait ten minutes, then try again.')).toBeVisible();
  await expectAccessibleOnPhones(page);

  const message = 'The register has other figures for this document than were signed. Ask the institution.';
  await page.route(calls, (route) => route.fulfill({ status: 404, json: { message, state: 'altered' } }));
  await page.goto(qrAddress);
  await expect(heading(page, 'This document could not be confirmed.')).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
  await expectAccessibleOnPhones(page);
});
