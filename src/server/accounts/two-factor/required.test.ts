import { TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../../tests/support/app/test-app.ts';
import { secondFactorSetupReply } from '../../../contract/accounts/sign-in.ts';

const REFUSED = {
  status: 403,
  body: {
    message: 'Set up two-factor authentication first: your role requires it.',
    second_factor: 'required',
  },
};

async function setUp(person: Person) {
  const begun = await person.post('/api/second-factor', { password: person.password });
  const { secret } = secondFactorSetupReply.parse(begun.body);
  const code = new TOTP({ secret }).generate();
  expect((await person.post('/api/second-factor/confirm', { code })).status).toBe(200);
}

describe.each(freshApps({ settings: { twoFactorRoles: ['admin', 'staff'] } }))(
  'where roles require a second factor, on $name',
  ({ test }) => {
    // Covers A140
    test('a person of such a role does nothing before it is set up', async ({ app, staff, admin }) => {
      for (const [method, path] of [
        ['GET', '/api/students'],
        ['GET', '/api/users'],
        ['GET', '/api/sessions'],
        ['POST', '/api/students'],
        ['PUT', `/api/users/${staff.user.id}`],
        ['DELETE', '/api/sessions'],
        ['POST', '/api/second-factor/remove'],
      ] as const) {
        expect(await staff.call(method, path), path).toMatchObject(REFUSED);
        expect(await admin.call(method, path), path).toMatchObject(REFUSED);
      }
      expect((await staff.get('/api/sign-in-methods')).body).toEqual({ second_factor: null });
      await setUp(staff);
      expect((await staff.get('/api/students')).status).toBe(200);
      expect(await admin.get('/api/students')).toMatchObject(REFUSED);
      expect((await admin.post('/api/logout')).status).toBe(200);
      // A new session of the same person needs the code of the factor, so it is not asked for another one.
      await expect(app.signIn(staff)).rejects.toThrow('422');
    });

    // Covers A140
    test('a person who gets such a role needs one from then on', async ({ admin, viewer }) => {
      expect((await viewer.get('/api/students')).status).toBe(200);
      await setUp(admin);
      const { name, email } = viewer.user;
      const change = { name, email, role: 'staff', password: admin.password };
      expect((await admin.put(`/api/users/${viewer.user.id}`, change)).status).toBe(200);
      expect(await viewer.get('/api/students')).toMatchObject(REFUSED);
    });
  },
);
