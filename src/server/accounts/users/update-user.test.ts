import { describe, expect } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
} from '../../../../tests/support/app/test-app.ts';
import { unique } from '../../../../tests/support/records.ts';

/** Changes an account, confirmed by the password of the person who changes it. */
const edit = (by: Person, of: Person, changes: Record<string, unknown> = {}) =>
  by.put(`/api/users/${of.user.id}`, { ...of.user, password: by.password, ...changes });

const listUsers = async (person: Person) => (await person.get('/api/users')).body;

describe.each(sharedApps())('the list of users, on $name', ({ test }) => {
  // Covers 3.1, 6.8
  test('contains the id, name, address and role of each user, and nothing else', async ({ admin, staff }) => {
    const answer = await staff.get('/api/users');
    expect(answer.status).toBe(200);
    expect(answer.body).toContainEqual(admin.user);
    expect(answer.body).toContainEqual(staff.user);
    for (const user of answer.body as object[])
      expect(Object.keys(user)).toEqual(['id', 'name', 'email', 'role']);
    expect(answer.text).not.toMatch(/argon|hash|version/);
  });
});

describe.each(sharedApps())('changing an account, on $name', ({ test }) => {
  test('changes one’s own name and address, with which one signs in from then on', async ({
    app,
    admin: _,
  }) => {
    const person = await app.register();
    const email = `${unique()}@new.example`;
    const answer = await edit(person, person, { name: 'Zara Khan', email });
    const user = { ...person.user, name: 'Zara Khan', email };
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String), user } });
    expect(await listUsers(person)).toContainEqual(user);
    await expect(app.signIn({ ...person, user })).resolves.toBeDefined();
    await expect(app.signIn(person)).rejects.toThrow('401');
  });

  test('accepts one’s own address in another case', async ({ app, admin: _ }) => {
    const person = await app.register();
    expect((await edit(person, person, { email: person.user.email.toUpperCase() })).status).toBe(200);
  });

  test('refuses the address of another account in any case', async ({ app, admin }) => {
    const person = await app.register();
    const answer = await edit(person, person, { email: admin.user.email.toUpperCase() });
    expect(getFieldErrors(answer)).toEqual({ email: ['The email has already been taken.'] });
  });

  test.for<[string, Record<string, unknown>, string[]]>([
    ['no name', { name: '' }, ['name']],
    ['no address', { email: null }, ['email']],
    ['no role', { role: undefined }, ['role']],
    ['an unknown role', { role: 'root' }, ['role']],
    ['no current password', { password: undefined }, ['password']],
    ['an empty current password', { password: '' }, ['password']],
    ['the id of another account', { id: 4711 }, ['id']],
    ['an id that is not a number', { id: 'x' }, ['id']],
    ['a fractional id', { id: 1.5 }, ['id']],
  ])('refuses %s, and changes nothing', async ([, changes, fields], { staff }) => {
    const before = await listUsers(staff);
    const errors = getFieldErrors(await edit(staff, staff, { name: 'Changed', ...changes }));
    expect(Object.keys(errors)).toEqual(fields);
    for (const [text] of Object.values(errors)) expect(text).toMatch(/^The /);
    expect(await listUsers(staff)).toEqual(before);
  });

  test('refuses a wrong current password without ending the session', async ({ staff }) => {
    const answer = await edit(staff, staff, { name: 'Changed', password: 'not my password' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ message: 'Incorrect password entered' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(await listUsers(staff)).toContainEqual(staff.user);
  });

  test('refuses staff a change of another account, even with its password', async ({ admin, staff }) => {
    const answer = await edit(staff, admin, { name: 'Changed', password: admin.password });
    expect(answer.status).toBe(403);
    expect(await listUsers(staff)).toContainEqual(admin.user);
  });

  // Covers 6.4
  test('refuses staff a change of their own role', async ({ staff }) => {
    for (const role of ['admin', 'viewer']) {
      expect(getFieldErrors(await edit(staff, staff, { role }))).toHaveProperty('role');
    }
    expect(await listUsers(staff)).toContainEqual(staff.user);
  });

  test('lets an administrator change another account with the administrator’s password', async ({
    app,
    admin,
  }) => {
    const person = await app.register();
    expect((await edit(admin, person, { name: 'By theirs', password: person.password })).status).toBe(401);
    expect((await edit(admin, person, { name: 'By the admin' })).status).toBe(200);
    expect(await listUsers(admin)).toContainEqual({ ...person.user, name: 'By the admin' });
  });

  test.for(['4711', '0', '-1', '1.5', 'x', '9e99', '%00'])(
    'answers 404 for the user %s',
    async (id, { admin }) => {
      const body = { ...admin.user, id: undefined, password: admin.password };
      expect((await admin.put(`/api/users/${id}`, body)).status).toBe(404);
    },
  );
});

describe.each(freshApps())('roles, on $name', ({ test }) => {
  test('apply from the next call on', async ({ app, admin, staff }) => {
    expect((await app.giveRole(admin, staff, 'admin')).status).toBe(200);
    expect((await edit(staff, admin, { role: 'staff' })).status).toBe(200);
    expect((await edit(admin, staff, { name: 'No more' })).status).toBe(403);
  });

  test('keep the last administrator', async ({ app, admin, staff }) => {
    expect(getFieldErrors(await edit(admin, admin, { role: 'staff' }))).toHaveProperty('role');
    await app.giveRole(admin, staff, 'admin');
    expect((await edit(admin, admin, { role: 'staff' })).status).toBe(200);
    expect(getFieldErrors(await edit(staff, staff, { role: 'viewer' }))).toHaveProperty('role');
  });

  test('keep one of two administrators who step down at the same time', async ({ app, admin, staff }) => {
    await app.giveRole(admin, staff, 'admin');
    const answers = await Promise.all([
      edit(admin, admin, { role: 'staff' }),
      edit(staff, staff, { role: 'staff' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  // Covers 6.3
  test('let a viewer read, and change only their own account', async ({ app, admin, viewer }) => {
    for (const url of ['/api', '/api/users', '/api/courses'])
      expect((await viewer.get(url)).status).toBe(200);
    // Without the entries about reading the whole list, which are written asynchronously.
    const changes = () =>
      app.db.read.selectFrom('history').selectAll().where('entity', '!=', 'list').execute();
    const before = await changes();
    for (const [method, url] of [
      ['POST', '/api/students'],
      ['PUT', '/api/students/1'],
      ['DELETE', '/api/students/1'],
      ['POST', '/api/students/family'],
      ['PUT', '/api/students/1/family'],
      ['POST', '/api/students/academics'],
      ['PUT', '/api/students/academics/1'],
      ['POST', '/api/courses'],
    ] as const) {
      const answer = await viewer.call(method, url, { body: {} });
      expect(answer, `${method} ${url}`).toMatchObject({
        status: 403,
        body: { message: expect.any(String) },
      });
    }
    expect((await edit(viewer, admin, { name: 'Changed' })).status).toBe(403);
    expect(await changes()).toEqual(before);

    const asViewer = { ...viewer.user, role: 'viewer' };
    expect((await edit(viewer, viewer, { ...asViewer, name: 'Vera V.' })).status).toBe(200);
    const password = 'four dry umbrellas';
    const change = { old_password: viewer.password, password, password_confirmation: password };
    expect((await viewer.put(`/api/users/${viewer.user.id}/change-password`, change)).status).toBe(200);
    expect((await viewer.post('/api/logout')).status).toBe(200);
  });
});

describe.each(freshApps())('an account that two people change at the same time, on $name', ({ test }) => {
  test('has a version, by which the later change is refused with the current account', async ({
    app,
    admin,
    staff,
  }) => {
    const path = `/api/users/${staff.user.id}`;
    const seen = await admin.get(path);
    expect(seen.body).toEqual(staff.user);
    const ifMatch = { 'if-match': String(seen.headers.etag) };

    const own = { ...staff.user, name: 'Sana Khan', password: staff.password };
    const first = await staff.call('PUT', path, { body: own, headers: ifMatch });
    expect(first.status).toBe(200);
    expect(first.headers.etag).not.toBe(seen.headers.etag);

    const others = { ...staff.user, role: 'viewer', password: admin.password };
    const later = await admin.call('PUT', path, { body: others, headers: ifMatch });
    expect(later.status).toBe(412);
    expect(later.body).toMatchObject({ current: { ...staff.user, name: 'Sana Khan' } });
    expect((await admin.get(path)).body).toEqual({ ...staff.user, name: 'Sana Khan' });

    const again = { 'if-match': String((await admin.get(path)).headers.etag) };
    expect((await admin.call('PUT', path, { body: others, headers: again })).status).toBe(200);
    expect((await app.call('GET', path)).status).toBe(401);
    expect((await admin.get('/api/users/999999')).status).toBe(404);
  });
});
