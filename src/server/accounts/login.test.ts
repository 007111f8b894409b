import { describe, expect } from 'vitest';
import { freshApps, sharedApps } from '../../../tests/support/app.ts';

describe.each(sharedApps())('signing in, on $name', ({ test }) => {
  test('x', async ({ app, staff }) => {
    expect((await staff.get('/api/users')).body).toHaveLength(2);
    expect(app).toBeDefined();
  });
  test('y', async ({ viewer }) => {
    expect((await viewer.get('/api/users')).body).toHaveLength(3);
  });
});
describe.each(freshApps())('signing in, on $name', ({ test }) => {
  test('x', async ({ app, staff }) => {
    expect((await staff.get('/api/users')).body).toHaveLength(2);
    expect(app).toBeDefined();
  });
});
