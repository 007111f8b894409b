import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors } from '../../../tests/support/app/test-app.ts';
import { historyReply } from '../../contract/history.ts';
import { institutionReply, institutionSavedReply } from '../../contract/institution.ts';
import { runChecks } from '../verify/checks.ts';

const URL = '/api/institution';
const COLLEGE = {
  name: 'Rohtas College of Engineering',
  short_name: 'RCE',
  address: 'Grand Trunk Road\nJhelum 49600',
  signatories: [
    { name: 'Dr Shaheena Bangulzai', title: 'Controller of Examinations' },
    { name: 'Farhan Jogi', title: 'Registrar' },
  ],
  logo: null,
};

async function formWithLogo(): Promise<FormData> {
  const picture = sharp({ create: { width: 80, height: 80, channels: 3, background: '#165677' } });
  const form = new FormData();
  for (const field of ['name', 'short_name', 'address'] as const) form.set(field, COLLEGE[field]);
  form.set('signatories', JSON.stringify(COLLEGE.signatories));
  form.set('logo', new Blob([Uint8Array.from(await picture.png().toBuffer())]), 'logo.png');
  return form;
}

describe.each(freshApps())('the institution, on $name', ({ test }) => {
  test('is empty at first, and takes what it answers', async ({ app, admin, staff, viewer }) => {
    const empty = await viewer.get(URL);
    expect(empty).toMatchObject({
      status: 200,
      body: { name: null, short_name: null, address: null, signatories: [], logo: null, version: 0 },
    });
    expect(empty.headers.etag).toBe('"i0"');
    expect((await admin.put(URL, empty.body)).status).toBe(200);
    const saved = await admin.put(URL, COLLEGE);
    const expected = { ...COLLEGE, version: 1 };
    expect(saved).toMatchObject({
      status: 200,
      body: { message: 'Institution updated successfully', institution: expected },
    });
    expect(saved.headers.etag).toBe('"i1"');
    for (const person of [admin, staff, viewer]) expect((await person.get(URL)).body).toEqual(expected);
    // Nothing changes, so it is no new version.
    expect((await admin.put(URL, expected)).headers.etag).toBe('"i1"');
    expect((await app.call('GET', URL)).status).toBe(401);
  });

  // Covers A46
  test('is changed by administrators only, and only at its current version', async ({
    admin,
    staff,
    viewer,
  }) => {
    for (const person of [staff, viewer]) expect((await person.put(URL, COLLEGE)).status).toBe(403);
    const sendIf = (etag: string, body: object) =>
      admin.call('PUT', URL, { headers: { 'if-match': etag }, body });
    expect((await sendIf('"i0"', COLLEGE)).status).toBe(200);
    expect(await sendIf('"i0"', { ...COLLEGE, name: 'Other' })).toMatchObject({
      status: 412,
      body: { current: { ...COLLEGE, version: 1 } },
    });
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => sendIf('"i1"', { ...COLLEGE, name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  // Covers A66
  test.for<[object, Record<string, string>]>([
    [{ name: 'x'.repeat(256) }, { name: 'The name must be at most 255 characters.' }],
    [{ signatories: [{ name: 'Farhan Jogi', title: ' ' }] }, { signatories: 'The title field is required.' }],
    [{ signatories: 'none' }, { signatories: 'The signatories must be a list of names and titles.' }],
    [{ signatories: [7] }, { signatories: 'The signatories must be a list of names and titles.' }],
    [
      { signatories: Array.from({ length: 4 }, () => COLLEGE.signatories[0]) },
      { signatories: 'The signatories must be at most 3.' },
    ],
    [{ logo: 'https://x.example/logo.png' }, { logo: 'The logo must be a picture that is stored here.' }],
    [
      { logo: `/api/pictures/${'0'.repeat(64)}` },
      { logo: 'The logo must be a picture that is stored here.' },
    ],
  ])('is refused as %j', async ([change, texts], { admin }) => {
    const errors = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, [text]]));
    expect(getFieldErrors(await admin.put(URL, { ...COLLEGE, ...change }))).toEqual(errors);
    expect((await admin.get(URL)).body).toMatchObject({ version: 0 });
  });

  test('has a logo that comes as a file, and is kept by its address', async ({ admin, viewer }) => {
    const saved = await admin.call('PUT', URL, { form: await formWithLogo() });
    expect(saved.status, saved.text).toBe(200);
    const { institution } = institutionSavedReply.parse(saved.body);
    expect(institution).toMatchObject({ ...COLLEGE, logo: expect.stringMatching(/^\/api\/pictures\//) });
    expect((await viewer.get(institution.logo ?? '')).headers['content-type']).toBe('image/jpeg');
    const renamed = await admin.put(URL, { ...institution, name: 'Other' });
    expect(renamed.body).toMatchObject({ institution: { name: 'Other', logo: institution.logo } });
    const broken = await formWithLogo();
    broken.set('logo', new Blob(['<svg/>']), 'logo.svg');
    expect(getFieldErrors(await admin.call('PUT', URL, { form: broken }))).toEqual({
      logo: ['The logo must be a JPEG, PNG or WebP picture of at most 40 megapixels.'],
    });
  });

  test('has a history in words, from which an earlier state is restored', async ({ app, admin }) => {
    await admin.put(URL, COLLEGE);
    await admin.put(URL, { ...COLLEGE, short_name: null, signatories: [] });
    const { entries } = historyReply.parse((await admin.get('/api/history?entity=institution')).body);
    const signatories = 'Dr Shaheena Bangulzai, Controller of Examinations; Farhan Jogi, Registrar';
    expect(entries).toMatchObject([
      {
        action: 'update',
        changes: [
          { label: 'Short name', before: 'RCE', after: null },
          { label: 'Signatories', before: signatories, after: null },
        ],
      },
      { action: 'create', name: COLLEGE.name },
    ]);
    const restored = await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`);
    expect(restored.status, restored.text).toBe(201);
    expect(institutionReply.parse((await admin.get(URL)).body)).toEqual({ ...COLLEGE, version: 3 });

    const check = async () => {
      const lines: string[] = [];
      await runChecks(app.db.read, (line) => lines.push(line));
      return lines.filter((line) => line.startsWith('Settings'));
    };
    expect(await check()).toEqual(['Settings and their history: in order']);
    await app.db.write.updateTable('institution').set({ signatories: '[]' }).execute();
    expect(await check()).toEqual([
      'Settings and their history: Institution: signatories differ from the history.',
    ]);
  });
});
