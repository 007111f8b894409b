import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type Person } from '../../../tests/support/app/test-app.ts';
import { historyReply } from '../../contract/history.ts';
import { type Term, termDeletedReply, termListReply, termSavedReply } from '../../contract/terms.ts';
import { runChecks } from '../verify/checks.ts';

const FALL = { name: 'Fall 2026', starts_on: '2026-09-07', ends_on: '2027-01-22' } as const;
const SPRING = { name: 'Spring 2027', starts_on: '2027-02-08', ends_on: '2027-06-11' } as const;

const NO_DAYS = { summer: false, add_until: null, drop_until: null, withdraw_until: null } as const;
const DAYS = { add_until: '2026-09-20', drop_until: '2026-09-27', withdraw_until: '2026-10-18' } as const;

async function addTerm(admin: Person, input: object = FALL): Promise<Term> {
  const answer = await admin.post('/api/terms', input);
  expect(answer.status, answer.text).toBe(201);
  return termSavedReply.parse(answer.body).term;
}
const getPath = ({ term_id }: Term) => `/api/terms/${term_id}`;
const namesIn = async (person: Person) =>
  termListReply.parse((await person.get('/api/terms')).body).map(({ name }) => name);

describe.each(freshApps())('terms, on $name', ({ test }) => {
  test('are listed with the latest start first, for every role', async ({ app, admin, staff, viewer }) => {
    const fall = await addTerm(admin);
    const spring = await addTerm(admin, { ...SPRING, name: ` ${SPRING.name} ` });
    expect(fall).toEqual({ term_id: fall.term_id, ...FALL, ...NO_DAYS, version: 1 });
    for (const person of [admin, staff, viewer]) {
      expect((await person.get('/api/terms')).body).toEqual([spring, fall]);
      const one = await person.get(getPath(fall));
      expect(one).toMatchObject({ status: 200, body: fall });
      expect(one.headers.etag).toBe('"t1"');
    }
    expect((await app.call('GET', '/api/terms')).status).toBe(401);
    for (const id of ['0', 'x', '999999', '99999999999']) {
      expect((await admin.get(`/api/terms/${id}`)).status, id).toBe(404);
      expect((await admin.put(`/api/terms/${id}`, FALL)).status, id).toBe(404);
      expect((await admin.delete(`/api/terms/${id}`)).status, id).toBe(404);
    }
  });

  test('have last days in their order, which stay where a change leaves them out', async ({
    admin,
    staff,
  }) => {
    const fall = await addTerm(admin);
    const put = (body: object) => admin.put(getPath(fall), { ...FALL, ...body });
    expect(getFieldErrors(await put({ ...DAYS, add_until: '2026-09-06', drop_until: '2026-09-01' }))).toEqual(
      {
        add_until: ['The add until must not be before the start.'],
        drop_until: ['The drop until must not be before the add until.'],
      },
    );
    expect(getFieldErrors(await put({ add_until: '31/02/2026', summer: 'yes' }))).toEqual({
      add_until: ['The add until must be a date such as 2005-03-14.'],
      summer: ['The summer must be true or false.'],
    });
    const dated = { ...fall, ...DAYS, summer: true, version: 2 };
    expect((await put({ ...DAYS, summer: true })).body).toMatchObject({ term: dated });
    expect((await put({})).body).toMatchObject({ term: dated });
    expect(getFieldErrors(await put({ ends_on: '2026-10-17' }))).toEqual({
      withdraw_until: ['The withdraw until must not be after the end.'],
    });
    expect((await put({ withdraw_until: null, drop_until: '' })).body).toMatchObject({
      term: { ...dated, drop_until: null, withdraw_until: null, version: 3 },
    });
    const { entries } = historyReply.parse(
      (await admin.get(`/api/history?entity=term&entity_id=${fall.term_id}`)).body,
    );
    expect(entries[0]?.changes).toEqual([
      { field: 'drop_until', label: 'Drop until', before: '2026-09-27', after: null },
      { field: 'withdraw_until', label: 'Withdraw until', before: '2026-10-18', after: null },
    ]);
    const restored = await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`);
    expect(restored.status, restored.text).toBe(201);
    expect((await staff.get(getPath(fall))).body).toEqual({ ...dated, version: 4 });
  });

  // Covers A46
  test('are changed by administrators only', async ({ admin, staff, viewer }) => {
    const fall = await addTerm(admin);
    for (const person of [staff, viewer]) {
      expect((await person.post('/api/terms', SPRING)).status).toBe(403);
      expect((await person.put(getPath(fall), SPRING)).status).toBe(403);
      expect((await person.delete(getPath(fall))).status).toBe(403);
    }
    expect((await admin.get('/api/terms')).body).toEqual([fall]);
  });

  test.for<[object, Record<string, string>]>([
    [
      {},
      {
        name: 'The name field is required.',
        starts_on: 'The starts on field is required.',
        ends_on: 'The ends on field is required.',
      },
    ],
    [
      { ...FALL, name: 'x'.repeat(61), starts_on: '7 September' },
      {
        name: 'The name must be at most 60 characters.',
        starts_on: 'The starts on must be a date such as 2005-03-14.',
      },
    ],
    [{ ...FALL, ends_on: FALL.starts_on }, { ends_on: 'The end must be after the start.' }],
    [{ ...FALL, ends_on: '2026-02-30' }, { ends_on: 'The ends on must be a date such as 2005-03-14.' }],
  ])('are refused as %j', async ([input, texts], { admin }) => {
    const errors = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, [text]]));
    expect(getFieldErrors(await admin.post('/api/terms', input))).toEqual(errors);
    const fall = await addTerm(admin);
    expect(getFieldErrors(await admin.put(getPath(fall), input))).toEqual(errors);
    expect(await namesIn(admin)).toEqual([FALL.name]);
  });

  test('are refused a name in use in any case or accent', async ({ admin }) => {
    const fall = await addTerm(admin);
    const spring = await addTerm(admin, SPRING);
    const taken = { name: ['The name has already been taken.'] };
    expect(getFieldErrors(await admin.post('/api/terms', { ...FALL, name: 'FÁLL 2026' }))).toEqual(taken);
    expect(getFieldErrors(await admin.put(getPath(spring), { ...SPRING, name: 'fall 2026' }))).toEqual(taken);
    expect((await admin.put(getPath(fall), { ...FALL, name: 'FALL 2026' })).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin.post('/api/terms', { ...FALL, name: 'Fall 2027' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  test('are added once for each idempotency key', async ({ admin }) => {
    const send = () =>
      admin.call('POST', '/api/terms', { body: FALL, headers: { 'idempotency-key': 'once' } });
    const first = await send();
    expect(first).toMatchObject({ status: 201, body: { message: 'Term added successfully' } });
    expect((await send()).text).toBe(first.text);
    expect(await namesIn(admin)).toEqual([FALL.name]);
  });

  test('are changed and deleted only at their current version, with a history entry each', async ({
    app,
    admin,
  }) => {
    const fall = await addTerm(admin);
    const sendIf = (etag: string, method: string, body?: object) =>
      admin.call(method, getPath(fall), { headers: { 'if-match': etag }, body });
    const changed = await sendIf('"t1"', 'PUT', { ...FALL, ends_on: '2027-01-29' });
    const now = { ...fall, ends_on: '2027-01-29', version: 2 };
    expect(changed).toMatchObject({
      status: 200,
      body: { message: 'Term updated successfully', term: now },
    });
    expect(changed.headers.etag).toBe('"t2"');
    expect(await sendIf('"t1"', 'PUT', SPRING)).toMatchObject({ status: 412, body: { current: now } });
    expect(await sendIf('"t1"', 'DELETE')).toMatchObject({ status: 412, body: { current: now } });
    // Changes nothing, so it is no new version.
    expect((await sendIf('"t2"', 'PUT', now)).headers.etag).toBe('"t2"');
    expect((await sendIf('"t2"', 'DELETE')).status).toBe(200);
    expect((await admin.get(getPath(fall))).status).toBe(404);

    const { body } = await admin.get('/api/history?entity=term');
    expect(historyReply.parse(body).entries).toMatchObject([
      { action: 'delete', name: FALL.name, entity_id: String(fall.term_id) },
      {
        action: 'update',
        changes: [{ field: 'ends_on', label: 'End', before: FALL.ends_on, after: now.ends_on }],
      },
      {
        action: 'create',
        user: { id: admin.user.id },
        changes: [{ label: 'Name' }, { label: 'Start' }, { label: 'End' }],
      },
    ]);
    const lines: string[] = [];
    await runChecks(app.db.read, (line) => lines.push(line));
    expect(lines).toContain('Settings and their history: in order');
  });

  test('are restored from the history, a deleted one under its number', async ({ admin }) => {
    const fall = await addTerm(admin);
    await admin.put(getPath(fall), SPRING);
    const { entry } = termDeletedReply.parse((await admin.delete(getPath(fall))).body);
    await addTerm(admin, { ...FALL, name: 'Summer 2027' });
    const restore = (number: number | undefined, state: string) =>
      admin.post(`/api/history/${number}/restore?state=${state}`);
    expect((await restore(entry, 'before')).status).toBe(201);
    expect(await restore(entry, 'before')).toMatchObject({
      status: 409,
      body: { message: 'This term has been restored already.' },
    });
    expect((await admin.get(getPath(fall))).body).toEqual({ ...fall, ...SPRING, version: 4 });
    const { entries } = historyReply.parse(
      (await admin.get(`/api/history?entity=term&entity_id=${fall.term_id}&action=update`)).body,
    );
    expect((await restore(entries[0]?.id, 'before')).status).toBe(201);
    expect((await admin.get(getPath(fall))).body).toEqual({ ...fall, version: 5 });

    const gone = termDeletedReply.parse((await admin.delete(getPath(fall))).body);
    await addTerm(admin, FALL);
    const refused = await restore(gone.entry, 'before');
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The name has already been taken.') },
    });
  });
});
