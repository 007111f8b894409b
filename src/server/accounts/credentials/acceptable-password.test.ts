import { describe, expect } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';

/** Registers Zara Qureshi with a password. @returns what is wrong with it */
async function tryPassword(app: TestApp, password: string): Promise<string[] | undefined> {
  const body = {
    name: 'Zara Qureshi',
    email: 'z.qureshi@x.example',
    password,
    password_confirmation: password,
  };
  const answer = await app.call('POST', '/api/register', { body });
  return answer.status === 201 ? undefined : getFieldErrors(answer).password;
}

const OWN = 'The password must differ from the name and the email.';
const REPEATED = 'The password must not be a short text repeated.';
const WORDS =
  'The password must be more than words of this program, the institution, or your name and email.';
const COMMON = 'The password must not be one of the common passwords.';

describe.each(sharedApps())('a password is refused, on $name', ({ test }) => {
  // Covers A18
  test.for<[string, string, string]>([
    ['the name', 'Zara QURESHI', OWN],
    ['the email', 'Z.Qureshi@x.example', OWN],
    ['one letter repeated', 'aaaaaaaaaaaaaaaa', REPEATED],
    ['a word repeated', 'simssims', REPEATED],
    ['a year repeated', '202620262026', REPEATED],
    ['a repeated text that is cut off', 'wet7!wet7!we', REPEATED],
    ['words of the product', 'student information', WORDS],
    ['a word of the product and some characters', 'Faculty#2026', WORDS],
    ['a role and a digit', 'administrator1', WORDS],
    ['a department and a year', 'Mechatronics2026', WORDS],
    ['departments', 'software-mechanical', WORDS],
    ['a name and a digit', 'Qureshi7', WORDS],
    ['a name and a date', 'zara-2004-11-30', WORDS],
    ['a name with digits for letters', 'qur3$h1!', WORDS],
    ['a common password', 'ILoveYou1', COMMON],
    ['a common password with digits for letters and a year', 'Passw0rd!2024', COMMON],
    ['a common password between digits', '12welcome2026', COMMON],
  ])('if it is %s', async ([, password, reason], { app }) => {
    expect(await tryPassword(app, password)).toEqual([reason]);
  });
});

describe.each(freshApps())('a password is accepted, on $name', ({ test }) => {
  test('if it has a word of the program beside others', async ({ app }) => {
    expect(await tryPassword(app, 'students like umbrellas')).toBeUndefined();
  });

  test('if a common word is not all of it', async ({ app }) => {
    expect(await tryPassword(app, 'welcome-9-umbrellas')).toBeUndefined();
  });
});

describe.each(freshApps())('with an institution, on $name', ({ test }) => {
  // Covers A18
  test('its name is refused as a password', async ({ app, admin }) => {
    const institution = { name: 'Faculty of Engineering, Northbridge', short_name: 'FEN', signatories: [] };
    expect((await admin.put('/api/institution', institution)).status).toBe(200);
    expect(await tryPassword(app, 'northbridge1')).toEqual([WORDS]);
    expect(await tryPassword(app, 'Engineering-FEN-99')).toEqual([WORDS]);
    expect(await tryPassword(app, 'northbridge umbrellas')).toBeUndefined();
  });
});
