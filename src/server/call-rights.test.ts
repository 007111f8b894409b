import { describe, expect } from 'vitest';
import { sharedApps } from '../../tests/support/app/test-app.ts';
import { ROLES } from '../contract/accounts/accounts.ts';
import { allCalls } from '../contract/all-calls.ts';
import type { CallEntry } from '../contract/calls.ts';

/** A call about a record that there is not. A body in a type that no call takes stops it after the check of the rights. */
function unharmful(key: string) {
  const [method = '', template = ''] = key.split(' ');
  const url = template.replaceAll(/:\w+(?:\(\^[^)]*\$\))?/g, '999999999');
  const isRead = method === 'GET';
  return {
    method,
    url,
    ...(isRead ? {} : { body: 'x', headers: { 'content-type': 'application/x-unknown' } }),
  };
}

const entries: readonly (readonly [string, CallEntry])[] = Object.entries(allCalls);

describe.each(sharedApps())('the calls of the contract, on $name', ({ test }) => {
  // Covers A46
  test.for(entries)(
    'are made by their roles only: %s',
    async ([key, { roles }], { app, admin, staff, viewer }) => {
      const { method, url, ...call } = unharmful(key);
      const without = await app.call(method, url, call);
      if (roles === 'everybody') return expect(without.status, without.text).not.toBe(401);
      expect(without).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.any(String) } });
      const people = { admin, staff, viewer };
      for (const role of ROLES) {
        const { status, text } = await people[role].call(method, url, call);
        if (roles.includes(role)) expect([401, 403], `${role}: ${text}`).not.toContain(status);
        else expect(status, `${role}: ${text}`).toBe(403);
      }
    },
  );
});
