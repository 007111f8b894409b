import { describe, expect } from 'vitest';
import { aClass, createSheet, nameTeachers } from '../../tests/support/app/mark-sheets.ts';
import { type Person, sharedApps, type TestApp } from '../../tests/support/app/test-app.ts';
import type { Role } from '../contract/accounts/accounts.ts';
import { allCalls } from '../contract/all-calls.ts';
import { type CallEntry, RIGHTS } from '../contract/calls.ts';

/** A call about a record that there is not. A body in a type that no call takes stops it after the check of the rights. */
function unharmful(key: string, sheetId: number | string = 999_999_999) {
  const [method = '', template = ''] = key.split(' ');
  const url = template
    .replace(':sheet_id', String(sheetId))
    .replaceAll(/:\w+(?:\(\^[^)]*\$\))?/g, '999999999');
  const isRead = method === 'GET';
  return {
    method,
    url,
    ...(isRead ? {} : { body: 'x', headers: { 'content-type': 'application/x-unknown' } }),
  };
}

const entries: readonly (readonly [string, CallEntry])[] = Object.entries(allCalls);
const isAdmitted = (role: Role, rights: CallEntry['rights']) =>
  rights === 'everybody' || RIGHTS[role].some((right) => rights.includes(right));

describe.each(sharedApps())('the calls of the contract, on $name', ({ test }) => {
  // Covers A46
  test.for(entries)(
    'are made by who has a right to them: %s',
    async ([key, { rights }], { app, admin, staff, viewer }) => {
      const { method, url, ...call } = unharmful(key);
      const without = await app.call(method, url, call);
      if (rights === 'everybody') return expect(without.status, without.text).not.toBe(401);
      expect(without).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.any(String) } });
      const people = { admin, staff, viewer };
      for (const role of ['admin', 'staff', 'viewer'] as const) {
        const { status, text } = await people[role].call(method, url, call);
        if (isAdmitted(role, rights)) expect([401, 403], `${role}: ${text}`).not.toContain(status);
        else expect(status, `${role}: ${text}`).toBe(403);
      }
    },
  );
});

/** What a teacher may call beside what needs no sign-in, word for word as the rules have it. */
const OF_ACCOUNT = [
  'POST /api/logout',
  'GET /api/sessions',
  'DELETE /api/sessions',
  'DELETE /api/sessions/:id',
  'GET /api/sign-in-methods',
  'POST /api/second-factor',
  'POST /api/second-factor/confirm',
  'POST /api/second-factor/remove',
  'GET /api/users',
  'GET /api/users/:id',
  'PUT /api/users/:id',
  'PUT /api/users/:id/change-password',
  'GET /api/users/:id/picture',
  'PUT /api/users/:id/picture',
  'GET /api/pictures/:picture_id',
  'GET /api/terms',
  'GET /api/terms/:term_id',
  'GET /api/policies',
  'GET /api/institution',
  'GET /api/home',
];
/** The same of their own sheets. */
const OF_SHEET = [
  'GET /api/sheets/:sheet_id',
  'PUT /api/sheets/:sheet_id',
  'GET /api/sheets/:sheet_id/events',
  'GET /api/sheets/:sheet_id/checks',
  'GET /api/sheets/:sheet_id/offerings',
  'GET /api/sheets/:sheet_id/award-list.pdf',
  'POST /api/sheets/:sheet_id/boundaries/propose',
  'PUT /api/sheets/:sheet_id/boundaries',
  'PUT /api/sheets/:sheet_id/cells',
  'PUT /api/sheets/:sheet_id/attendance',
  'PUT /api/sheets/:sheet_id/rows/:student_id',
  'POST /api/sheets/:sheet_id/submit',
  'POST /api/sheets/:sheet_id/take-back',
];
const LIST = 'GET /api/sheets';
const signedIn = entries.filter(([, { rights }]) => rights !== 'everybody').map(([key]) => key);

interface Given {
  app: TestApp;
  admin: Person;
  staff: Person;
  teacher: Person;
}
/** By application, since no call of these tests changes them. */
const made = new Map<TestApp, ReturnType<typeof makeSheets>>();

async function makeSheets({ app, admin, staff, teacher }: Given) {
  const own = await createSheet(staff, await aClass({ app, admin }, 1));
  await nameTeachers(staff, own, [teacher]);
  return { own, other: await createSheet(staff, await aClass({ app, admin }, 1)) };
}

/** A sheet of the teacher and one of nobody. */
function sheetsFor(given: Given) {
  const sheets = made.get(given.app) ?? makeSheets(given);
  made.set(given.app, sheets);
  return sheets;
}

const NOTHING = { status: 404, body: { message: 'There is nothing at this address.' } };
const NO_SHEET = { status: 404, body: { message: 'There is no such mark sheet.' } };

describe.each(sharedApps())('a teacher, on $name', ({ test }) => {
  // Covers A46
  test('has exactly the calls of the rules', () => {
    const admitted = entries.filter(
      ([, { rights }]) => rights !== 'everybody' && isAdmitted('teacher', rights),
    );
    expect(admitted.map(([key]) => key).toSorted()).toEqual([...OF_ACCOUNT, ...OF_SHEET, LIST].toSorted());
  });

  // Covers A46
  test.for(signedIn)(
    'makes their own calls, on their own sheets, and finds nothing else: %s',
    async (key, { app, admin, staff, teacher }) => {
      const { own, other } = await sheetsFor({ app, admin, staff, teacher });
      const send = (sheetId?: number | string) => {
        const { method, url, ...call } = unharmful(key, sheetId);
        return teacher.call(method, url, call);
      };
      if (OF_ACCOUNT.includes(key) || key === LIST) {
        const { status, text, body } = await send();
        if (key !== 'POST /api/logout') expect([401, 403], text).not.toContain(status);
        expect(body).not.toEqual(NOTHING.body);
      } else if (OF_SHEET.includes(key)) {
        for (const id of [other.sheet_id, 999_999_999, 'x']) expect(await send(id)).toMatchObject(NO_SHEET);
        // A stream does not end.
        if (key.endsWith('/events')) return;
        const { status, text, body } = await send(own.sheet_id);
        expect([401, 403], text).not.toContain(status);
        expect(body).not.toEqual(NO_SHEET.body);
        expect(body).not.toEqual(NOTHING.body);
      } else {
        for (const id of [own.sheet_id, other.sheet_id]) expect(await send(id)).toMatchObject(NOTHING);
      }
    },
  );
});
