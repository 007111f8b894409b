import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, sharedApp } from '../../../tests/support/app/test-app.ts';
import { historyReply } from '../../contract/history.ts';
import {
  institutionAddressReply,
  institutionReply,
  institutionSavedReply,
} from '../../contract/installation/institution.ts';
import { recordChange } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
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
  public_url: 'https://records.rce.example.edu',
  programmes: [
    { department: 'CE', title: 'Bachelor of Engineering in Computer Engineering' },
    { department: 'ME', title: 'Bachelor of Engineering in Mechanical Engineering' },
  ],
};

const testWithAddress = sharedApp({
  settings: { publicUrl: new globalThis.URL('https://sims.example.edu') },
});
const EARLIER = { name: 'Rohtas College', short_name: 'RC', address: null };

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
}

async function formWithLogo(): Promise<FormData> {
  const picture = sharp({ create: { width: 80, height: 80, channels: 3, background: '#165677' } });
  const form = new FormData();
  for (const field of ['name', 'short_name', 'address', 'public_url'] as const)
    form.set(field, COLLEGE[field]);
  for (const field of ['signatories', 'programmes'] as const) form.set(field, JSON.stringify(COLLEGE[field]));
  form.set('logo', new Blob([Uint8Array.from(await picture.png().toBuffer())]), 'logo.png');
  return form;
}

describe.each(freshApps())('the institution, on $name', ({ test }) => {
  test('is empty at first, and takes what it answers', async ({ app, admin, staff, viewer }) => {
    const empty = await viewer.get(URL);
    expect(empty).toMatchObject({
      status: 200,
      body: {
        ...{ name: null, short_name: null, address: null, signatories: [], logo: null, version: 0 },
        ...{ public_url: null, programmes: [] },
      },
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

  test('keeps what a call leaves out, and all of it for an empty or another object', async ({ admin }) => {
    await admin.put(URL, COLLEGE);
    for (const body of [{}, { title: 'Signals', starts_on: '2026-01-01' }]) {
      expect(await admin.put(URL, body)).toMatchObject({ status: 200, body: { institution: COLLEGE } });
    }
    const { name: _, ...kept } = COLLEGE;
    const renamed = await admin.call('PUT', URL, { form: formOf({ name: 'Rohtas Institute' }) });
    expect(renamed.body).toMatchObject({ institution: { ...kept, name: 'Rohtas Institute', version: 2 } });
    const emptied = await admin.put(URL, { address: null, signatories: [] });
    expect(emptied.body).toMatchObject({ institution: { address: null, signatories: [], version: 3 } });
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
      { public_url: 'records.rce.example.edu' },
      { public_url: 'The public url must be an address without a path, such as https://sims.example.edu.' },
    ],
    [
      { public_url: 'https://rce.example.edu/records' },
      { public_url: 'The public url must be an address without a path, such as https://sims.example.edu.' },
    ],
    [
      { programmes: [{ department: 'XX', title: 'Bachelor' }] },
      { programmes: 'The department must be one of EE, CE, ME, MTS.' },
    ],
    [{ programmes: [{ department: 'CE', title: ' ' }] }, { programmes: 'The title field is required.' }],
    [
      { programmes: [COLLEGE.programmes[0], COLLEGE.programmes[0]] },
      { programmes: 'The programmes must name each department once.' },
    ],
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
    await admin.put(URL, { ...COLLEGE, short_name: null, signatories: [], programmes: [], public_url: null });
    const { entries } = historyReply.parse((await admin.get('/api/history?entity=institution')).body);
    const signatories = 'Dr Shaheena Bangulzai, Controller of Examinations; Farhan Jogi, Registrar';
    expect(entries).toMatchObject([
      {
        action: 'update',
        changes: [
          { label: 'Short name', before: 'RCE', after: null },
          { label: 'Signatories', before: signatories, after: null },
          { label: 'Public address', before: 'https://records.rce.example.edu', after: null },
          {
            label: 'Degrees',
            before:
              'CE: Bachelor of Engineering in Computer Engineering; ME: Bachelor of Engineering in Mechanical Engineering',
            after: null,
          },
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

  test('keeps the address of codes and the degrees when a state is restored that was stored without them', async ({
    app,
    admin,
  }) => {
    await app.db.write
      .insertInto('institution')
      .values({
        id: 1,
        ...EARLIER,
        signatories: '[]',
        programmes: '[]',
        public_url: null,
        logo: null,
        version: 1,
      })
      .execute();
    await transact(app.db.write, (tx) =>
      recordChange(tx, admin.user, {
        ...{ action: 'create', entity: 'institution', entityId: 1 },
        after: { ...EARLIER, signatories: [], logo: null, version: 1 },
      }),
    );
    const { public_url, programmes } = COLLEGE;
    const changed = { name: 'Other', public_url, programmes };
    expect((await admin.put(URL, changed)).status).toBe(200);
    const { entries } = historyReply.parse((await admin.get('/api/history?entity=institution')).body);
    const restored = await admin.post(`/api/history/${entries[1]?.id}/restore?state=after`);
    expect(restored.status, restored.text).toBe(201);
    expect((await admin.get(URL)).body).toMatchObject({ ...EARLIER, public_url, programmes });
  });

  test('says where codes lead while it names no address', async ({ app, viewer }) => {
    expect((await viewer.get('/api/institution/address')).body).toEqual({
      ...{ default_url: 'http://localhost', source: 'server' },
    });
    await app.app.listen({ host: '0.0.0.0', port: 0 });
    const { body } = await viewer.get('/api/institution/address');
    expect(institutionAddressReply.parse(body).default_url).toMatch(
      /^http:\/\/(?!0\.0\.0\.0)[\d.]+:[1-9]\d*$/,
    );
  });
});

describe('the institution, where an operator has set the public address', () => {
  testWithAddress('has codes that lead there', async ({ viewer }) => {
    expect((await viewer.get('/api/institution/address')).body).toEqual({
      ...{ default_url: 'https://sims.example.edu', source: 'SIMS_PUBLIC_URL' },
    });
  });
});
