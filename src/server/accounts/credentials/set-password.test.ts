import { describe, expect } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
} from '../../../../tests/support/app/test-app.ts';

const NEXT = 'four dry umbrellas';

const change = (by: Person, changes: Record<string, unknown> = {}, id = by.user.id) =>
  by.put(`/api/users/${id}/change-password`, {
    id,
    old_password: by.password,
    password: NEXT,
    password_confirmation: NEXT,
    ...changes,
  });

describe.each(freshApps())('changing the password, on $name', ({ test }) => {
  test('ends every other session of the person, and none of other people', async ({ app, admin, staff }) => {
    const here = await app.signIn(staff);
    const answer = await change(here);
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await staff.get('/api')).status).toBe(401);
    expect((await here.get('/api')).status).toBe(200);
    expect((await admin.get('/api')).status).toBe(200);
    await expect(app.signIn(staff)).rejects.toThrow('401');
    await expect(app.signIn({ ...staff, password: NEXT })).resolves.toBeDefined();
  });

  // Covers A40
  test('ends sessions that the old password starts at the same moment', async ({ app, staff }) => {
    const here = await app.signIn(staff);
    const started: Person[] = [];
    let isOver = false;
    const signInAgain = async () => {
      while (!isOver) started.push(await app.signIn(staff));
    };
    const others = [1, 2, 3].map(() => expect(signInAgain()).rejects.toThrow('401'));
    expect((await change(here)).status).toBe(200);
    await Promise.all(others);
    isOver = true;
    for (const person of started) expect((await person.get('/api/users')).status).toBe(401);
  });

  test('is recorded in the history without either password', async ({ app, admin }) => {
    await change(admin);
    const rows = await app.db.read.selectFrom('history').selectAll().orderBy('id').execute();
    expect(rows.at(-1)).toMatchObject({ action: 'update', entity: 'user', user_id: admin.user.id });
    expect(JSON.stringify(rows)).not.toMatch(/umbrellas|argon/);
    expect(JSON.stringify(rows)).not.toContain(admin.password);
  });
});

describe.each(sharedApps())('a change of password is refused, on $name', ({ test }) => {
  test('with a wrong current password, without ending the session', async ({ app, staff }) => {
    const answer = await change(staff, { old_password: 'not my password' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      message: 'Incorrect current password.',
      error: 'Incorrect current password.',
    });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    await expect(app.signIn(staff)).resolves.toBeDefined();
  });

  // Covers A42
  test('for another person’s account, even to an administrator with the right password', async ({
    admin,
    staff,
  }) => {
    expect((await change(admin, { old_password: staff.password }, staff.user.id)).status).toBe(403);
    expect((await change(staff, { old_password: admin.password }, admin.user.id)).status).toBe(403);
    expect((await change(admin, {}, 4711)).status).toBe(403);
  });

  // Covers A42
  test('when the confirmation differs', async ({ staff }) => {
    expect(getFieldErrors(await change(staff, { password_confirmation: 'four dry umbrella' }))).toEqual({
      password: ['The password confirmation does not match.'],
    });
  });

  test.for<[string, Record<string, unknown>, string[]]>([
    [
      'empty fields',
      { old_password: '', password: '', password_confirmation: '' },
      ['old_password', 'password', 'password_confirmation'],
    ],
    ['no current password', { old_password: undefined }, ['old_password']],
    ['a short new password', { password: 'xk4$ qz', password_confirmation: 'xk4$ qz' }, ['password']],
    ['a common new password', { password: 'iloveyou1', password_confirmation: 'iloveyou1' }, ['password']],
    ['the id of another account', { id: 4711 }, ['id']],
  ])('with %s', async ([, changes, fields], { staff }) => {
    expect(Object.keys(getFieldErrors(await change(staff, changes))).sort()).toEqual(fields);
  });

  test('when the new password is the person’s name or address', async ({ staff: { user }, staff }) => {
    for (const password of [user.name, user.email.toUpperCase()]) {
      expect(
        getFieldErrors(await change(staff, { password, password_confirmation: password })),
      ).toHaveProperty('password');
    }
  });
});
