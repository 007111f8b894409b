import { describe, expect } from 'vitest';
import { freshApps, type Person, TestApp } from '../../../tests/support/app/test-app.ts';
import { historyReply } from '../../contract/history.ts';
import { fillFaculty } from '../seed/fill-faculty.ts';

const readEntries = async (admin: Person) =>
  historyReply.parse((await admin.get('/api/history?entity=list')).body).entries;
const waitForEntries = async (admin: Person, count: number) => {
  await expect.poll(async () => (await readEntries(admin)).length).toBe(count);
  return readEntries(admin);
};

describe.each(freshApps())('the log of reads of the list, on $name', ({ engine, test }) => {
  test('has an entry for reads of the whole list or of more than 1,000 rows, once per session and hour', async ({
    app,
    admin,
    staff,
  }) => {
    await fillFaculty(app.db.write, { students: 600, seed: 1 });
    const page = (by: Person, limit: number) => by.get(`/api/students?limit=${limit}`);
    for (const limit of [500, 500]) expect((await page(staff, limit)).status).toBe(200);
    for (let i = 0; i < 12; i += 1) await staff.get('/api/students?q=nobody-is-called-so&limit=500');
    await page(admin, 500);
    await page(staff, 1);
    expect(await waitForEntries(admin, 1)).toMatchObject([
      {
        ...{ action: 'create', entity: 'list', user: { id: staff.user.id } },
        changes: [
          { label: 'Call', after: 'GET /api/students' },
          { label: 'Rows', after: 'more than 1000' },
        ],
      },
    ]);
    await page(staff, 500);
    await page(staff, 500);
    for (let i = 0; i < 3; i += 1) expect((await staff.get('/api')).status).toBe(200);
    const [whole] = await waitForEntries(admin, 2);
    expect(whole?.changes).toMatchObject([{ after: 'GET /api' }, { after: 'all' }]);
    await (await app.signIn(staff)).get('/api');
    await waitForEntries(admin, 3);
  });

  test('has one entry for reads from two processes', async ({ skip }) => {
    if (engine.name === 'sqlite') skip();
    const database = await engine.prepare({ isMade: true });
    const one = await TestApp.open(engine, { database });
    const other = await TestApp.open(engine, { database });
    try {
      const admin = await one.register();
      const ask = (app: TestApp) => app.call('GET', '/api', { token: admin.token });
      await Promise.all([ask(one), ask(other), ask(one), ask(other)]);
      await one.close();
      expect(
        await readEntries({ ...admin, get: (url) => other.call('GET', url, { token: admin.token }) }),
      ).toHaveLength(1);
    } finally {
      await other.close();
      await database.remove();
    }
  });
});
