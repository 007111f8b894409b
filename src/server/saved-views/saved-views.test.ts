import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type Person } from '../../../tests/support/app/test-app.ts';
import { type SavedView, viewListReply, viewSavedReply } from '../../contract/students/saved-views.ts';

const LOW = { department: 'EE', current_sem: 6, cgpa_below: 2 } as const;

async function saveView(person: Person, name: string, view: object = LOW): Promise<SavedView> {
  const answer = await person.post('/api/views', { name, view });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.headers.etag).toBe(viewSavedReply.parse(answer.body).view.etag);
  return viewSavedReply.parse(answer.body).view;
}
const readNames = async (person: Person) =>
  viewListReply.parse((await person.get('/api/views')).body).map(({ name }) => name);

describe.each(freshApps())('saved views, on $name', ({ test }) => {
  test('are private to each user, sorted by name and unchanged', async ({ app, staff, admin, viewer }) => {
    expect((await staff.get('/api/views')).body).toEqual([]);
    const everything = {
      ...{ q: 'ali', department: 'CE', degree: '44', syn: 'B', current_sem: '3', gender: 'F' },
      ...{ cgpa_from: '2.25', cgpa_below: 3, incomplete: 'true', fell_by: 0.5, failed: 12 },
      ...{ sort: 'cgpa', direction: 'descending' },
    };
    const full = await saveView(staff, 'Zoë', everything);
    expect(full.view).toEqual({ ...everything, current_sem: 3, cgpa_from: 2.25 });
    const low = await saveView(staff, ' EE below 2 ');
    expect((await staff.get('/api/views')).body).toEqual([low, full]);
    expect(low).toMatchObject({ name: 'EE below 2', view: LOW });

    // Other users may use the same name, and viewers, who cannot change records, can save views too.
    await saveView(admin, 'Zoë', { sort: 'name' });
    const own = await saveView(viewer, 'Mine', {});
    for (const person of [admin, staff]) {
      const url = `/api/views/${own.id}`;
      expect((await person.put(url, { name: 'Taken over', view: {} })).status).toBe(404);
      expect((await person.delete(url)).status).toBe(404);
    }
    expect(await readNames(viewer)).toEqual(['Mine']);
    expect(await viewer.put(`/api/views/${own.id}`, { name: 'My own', view: LOW })).toMatchObject({
      status: 200,
      body: { message: 'View saved', view: { id: own.id, name: 'My own', view: LOW } },
    });
    expect((await viewer.delete(`/api/views/${own.id}`)).status).toBe(200);
    expect(await readNames(viewer)).toEqual([]);
    expect((await app.call('GET', '/api/views')).status).toBe(401);
    for (const id of ['0', 'x', '999999', '99999999999']) {
      expect((await staff.delete(`/api/views/${id}`)).status, id).toBe(404);
    }
  });

  test('are refused for a name in use in any spelling, and for an invalid view', async ({ staff }) => {
    const zoe = await saveView(staff, 'Zoë');
    const other = await saveView(staff, 'Other');
    const taken = { name: ['The name has already been taken.'] };
    expect(getFieldErrors(await staff.post('/api/views', { name: 'ZOE', view: {} }))).toEqual(taken);
    const rename = (id: number, name: string) => staff.put(`/api/views/${id}`, { name, view: LOW });
    expect(getFieldErrors(await rename(other.id, 'zoe'))).toEqual(taken);
    expect((await rename(zoe.id, 'ZOE')).status).toBe(200);

    const refused: [object, Record<string, string>][] = [
      [{}, { name: 'The name field is required.', view: 'The view field is required.' }],
      [{ name: ' ', view: {} }, { name: 'The name field is required.' }],
      [{ name: 'x'.repeat(61), view: {} }, { name: 'The name must be at most 60 characters.' }],
      [{ name: 'a', view: 'department=EE' }, { view: 'The view must be an object.' }],
      [{ name: 'a', view: { department: 'XX' } }, { view: 'The department must be one of EE, CE, ME, MTS.' }],
      [{ name: 'a', view: { cursor: 'x' } }, { view: 'The view must not hold cursor.' }],
    ];
    for (const [body, texts] of refused) {
      const errors = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, [text]]));
      expect(getFieldErrors(await staff.post('/api/views', body))).toEqual(errors);
    }
    expect(await readNames(staff)).toEqual(['Other', 'ZOE']);
  });

  test('are changed and deleted only at their current version, with a history entry each', async ({
    app,
    staff,
  }) => {
    const view = await saveView(staff, 'First');
    const url = `/api/views/${view.id}`;
    const sendIf = (etag: string, method: string, body?: object) =>
      staff.call(method, url, { headers: { 'if-match': etag }, body });
    const renamed = await sendIf(view.etag, 'PUT', { name: 'Second', view: LOW });
    expect(renamed.status).toBe(200);
    const { view: now } = viewSavedReply.parse(renamed.body);
    expect(now.etag).not.toBe(view.etag);
    expect(renamed.headers.etag).toBe(now.etag);
    const stale = { status: 412, body: { current: now } };
    expect(await sendIf(view.etag, 'PUT', { name: 'Third', view: LOW })).toMatchObject(stale);
    expect(await sendIf(view.etag, 'DELETE')).toMatchObject(stale);
    expect((await sendIf(now.etag, 'DELETE')).status).toBe(200);
    expect((await staff.delete(url)).status).toBe(404);
    const history = await app.db.read
      .selectFrom('history')
      .select(['action', 'user_id'])
      .where('entity', '=', 'view')
      .orderBy('id')
      .execute();
    expect(history).toEqual(
      ['create', 'update', 'delete'].map((action) => ({ action, user_id: staff.user.id })),
    );
  });

  test('are at most fifty, even if created concurrently, and are saved once per idempotency key', async ({
    staff,
  }) => {
    const saveOnce = () =>
      staff.call('POST', '/api/views', {
        body: { name: 'Once', view: LOW },
        headers: { 'idempotency-key': 'once' },
      });
    expect((await saveOnce()).text).toBe((await saveOnce()).text);
    for (let i = 1; i < 48; i += 1) await saveView(staff, `View ${i}`);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => staff.post('/api/views', { name: `Late ${i}`, view: LOW })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422]);
    expect(getFieldErrors(await staff.post('/api/views', { name: 'One more', view: LOW }))).toEqual({
      name: ['50 views are the most that can be kept. Remove one first.'],
    });
    expect(await readNames(staff)).toHaveLength(50);
  });
});
