import { describe, expect } from 'vitest';
import { freshApps } from '../../../tests/support/app.ts';

describe.each(freshApps())('an account that two people change at once, on $name', ({ test }) => {
  test('answers its version, and refuses the later change with the account as it is', async ({
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
