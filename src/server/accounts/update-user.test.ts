import { describe, expect } from 'vitest';
import { errorsOf, freshApps, type Person, sharedApps } from '../../../tests/support/app.ts';
import { unique } from '../../../tests/support/records.ts';

/** Changes of somebody's account, proved by the password of who makes them. */
const edit = (by: Person, of: Person, changes: Record<string, unknown> = {}) =>
  by.put(`/api/users/${of.user.id}`, { ...of.user, password: by.password, ...changes });

const usersSeenBy = async (person: Person) => (await person.get('/api/users')).body;

describe.each(sharedApps())('the list of users, on $name', ({ test }) => {
  test('holds of each the id, name, address and role, and nothing else', async ({ admin, staff }) => {
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
  test('changes name and address of the own one, and signing in follows', async ({ app, admin: _ }) => {
    const person = await app.register();
    const email = `${unique()}@new.example`;
    const answer = await edit(person, person, { name: 'Zara Khan', email });
    const user = { ...person.user, name: 'Zara Khan', email };
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String), user } });
    expect(await usersSeenBy(person)).toContainEqual(user);
    await expect(app.signIn({ ...person, user })).resolves.toBeDefined();
    await expect(app.signIn(person)).rejects.toThrow('401');
  });

  test('takes the own address in another case', async ({ app, admin: _ }) => {
    const person = await app.register();
    expect((await edit(person, person, { email: person.user.email.toUpperCase() })).status).toBe(200);
  });

  test('refuses an address that somebody else has, whatever its case', async ({ app, admin }) => {
    const person = await app.register();
    const answer = await edit(person, person, { email: admin.user.email.toUpperCase() });
    expect(errorsOf(answer)).toEqual({ email: ['The email has already been taken.'] });
  });

  test.for<[string, Record<string, unknown>, string[]]>([
    ['no name', { name: '' }, ['name']],
    ['no address', { email: null }, ['email']],
    ['no role', { role: undefined }, ['role']],
    ['a role that is none', { role: 'root' }, ['role']],
    ['no current password', { password: undefined }, ['password']],
    ['an empty current password', { password: '' }, ['password']],
    ['the id of another', { id: 4711 }, ['id']],
    ['an id that is none', { id: 'x' }, ['id']],
    ['a broken id', { id: 1.5 }, ['id']],
  ])('refuses %s, and changes nothing', async ([, changes, fields], { staff }) => {
    const before = await usersSeenBy(staff);
    const errors = errorsOf(await edit(staff, staff, { name: 'Changed', ...changes }));
    expect(Object.keys(errors)).toEqual(fields);
    for (const [text] of Object.values(errors)) expect(text).toMatch(/^The /);
    expect(await usersSeenBy(staff)).toEqual(before);
  });

  test('refuses a wrong current password, which does not end the session', async ({ staff }) => {
    const answer = await edit(staff, staff, { name: 'Changed', password: 'not my password' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ message: 'Incorrect password entered' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(await usersSeenBy(staff)).toContainEqual(staff.user);
  });

  test("refuses staff another person's account, even with that one's password", async ({ admin, staff }) => {
    const answer = await edit(staff, admin, { name: 'Changed', password: admin.password });
    expect(answer.status).toBe(403);
    expect(await usersSeenBy(staff)).toContainEqual(admin.user);
  });

  test('refuses staff another role of their own', async ({ staff }) => {
    for (const role of ['admin', 'viewer']) {
      expect(errorsOf(await edit(staff, staff, { role }))).toHaveProperty('role');
    }
    expect(await usersSeenBy(staff)).toContainEqual(staff.user);
  });

  test('lets an administrator change the account of another, by the administrator’s password', async ({
    app,
    admin,
  }) => {
    const person = await app.register();
    expect((await edit(admin, person, { name: 'By theirs', password: person.password })).status).toBe(401);
    expect((await edit(admin, person, { name: 'By the admin' })).status).toBe(200);
    expect(await usersSeenBy(admin)).toContainEqual({ ...person.user, name: 'By the admin' });
  });

  test.for(['4711', '0', '-1', '1.5', 'x', '9e99', '%00'])('knows no user %s', async (id, { admin }) => {
    const body = { ...admin.user, id: undefined, password: admin.password };
    expect((await admin.put(`/api/users/${id}`, body)).status).toBe(404);
  });
});

describe.each(freshApps())('roles, on $name', ({ test }) => {
  test('a new role counts from the next call on', async ({ app, admin, staff }) => {
    expect((await app.giveRole(admin, staff, 'admin')).status).toBe(200);
    expect((await edit(staff, admin, { role: 'staff' })).status).toBe(200);
    expect((await edit(admin, staff, { name: 'No more' })).status).toBe(403);
  });

  test('the last administrator stays one', async ({ app, admin, staff }) => {
    expect(errorsOf(await edit(admin, admin, { role: 'staff' }))).toHaveProperty('role');
    await app.giveRole(admin, staff, 'admin');
    expect((await edit(admin, admin, { role: 'staff' })).status).toBe(200);
    expect(errorsOf(await edit(staff, staff, { role: 'viewer' }))).toHaveProperty('role');
  });

  test('of two administrators who step down at the same time one stays', async ({ app, admin, staff }) => {
    await app.giveRole(admin, staff, 'admin');
    const answers = await Promise.all([
      edit(admin, admin, { role: 'staff' }),
      edit(staff, staff, { role: 'staff' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('a viewer reads, and changes nothing but their own account', async ({ app, admin, viewer }) => {
    for (const url of ['/api', '/api/users', '/api/courses'])
      expect((await viewer.get(url)).status).toBe(200);
    // But for the entry of who read the whole list, which no answer waits for.
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
