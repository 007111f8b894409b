import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  FULL_SETUP,
  fillSheet,
  ONE_COMPONENT,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import { addDraft, aRow, publish } from '../../../tests/support/app/schemes.ts';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aStudent, aTerm } from '../../../tests/support/records.ts';
import { type Home, homeReply } from '../../contract/home.ts';
import { calendarDate } from '../../domain/age.ts';
import { claimBackup, recordSuccess } from '../backup/schedule.ts';

const NOT_YET = { open_registrations: null, requests: null };

async function home(person: Person): Promise<Home> {
  const answer = await person.get('/api/home');
  expect(answer.status, answer.text).toBe(200);
  return homeReply.parse(answer.body);
}

/** A submitted sheet of its own class with five students. */
async function aSubmittedSheet({ app, admin }: { app: TestApp; admin: Person }, by: Person) {
  const ofClass = await aClass({ app, admin }, 5);
  const sheet = await createSheet(by, ofClass, { categories: ONE_COMPONENT });
  await submitSheet(by, await fillSheet(by, sheet, [70, 65, 62, 58, 55]));
  return { ...sheet, ofClass };
}

describe.each(freshApps())('Home, on $name', ({ test }) => {
  test('leads an administrator through the first steps, and no longer once all are done', async ({
    app,
    admin,
  }) => {
    const steps = async () =>
      (await home(admin)).setup?.flatMap(({ step, done }) => (done ? [] : [step])) ?? null;
    expect(await home(admin)).toMatchObject({ ...NOT_YET, term: null, to_confirm: { count: 0, items: [] } });
    expect(await steps()).toEqual(['institution', 'term', 'courses', 'students', 'colleague', 'scheme']);
    await admin.put('/api/institution', { name: 'Rohtas College' });
    await admin.post('/api/terms', aTerm());
    expect(await steps()).toEqual(['courses', 'students', 'colleague', 'scheme']);
    const course = aCourse();
    await admin.post('/api/courses', course);
    await admin.post('/api/students', aStudent());
    expect(await steps()).toEqual(['colleague', 'scheme']);
    await app.register();
    // A draft is in force for nobody.
    const draft = await addDraft(admin, null, [aRow([course.course_id])]);
    expect(await steps()).toEqual(['scheme']);
    await publish(admin, draft);
    expect(await steps()).toBeNull();
  });

  test('shows each role only what it can do something about', async ({ admin, staff, viewer }) => {
    const [year = ''] = calendarDate(new Date()).split('-');
    const term = { name: `Year ${year}`, starts_on: `${year}-01-01`, ends_on: `${year}-12-31` };
    await admin.post('/api/terms', term);
    await staff.post('/api/students', aStudent({ id: 'new', syn: 'B', current_sem: 2 }));
    await staff.post('/api/students', aStudent({ id: 'whole', syn: 'B', current_sem: 2 }));
    await staff.post('/api/students/family', aFamily('whole'));
    const empty = { count: 0, items: [] };
    const incomplete_entries = {
      count: 2,
      items: [{ department: 'CE', current_sem: 2, syn: 'B', students: 2, incomplete: 2 }],
    };
    const nothing = {
      ...{ to_confirm: null, own_drafts: null, sent_back: null, ready_to_notify: null, to_approve: null },
      ...{
        without_teacher: null,
        setup: null,
        backups: null,
        term,
        incomplete_entries,
        opened: [],
        ...NOT_YET,
      },
      holds_ending: empty,
    };
    expect(await home(viewer)).toEqual(nothing);
    expect(await home(staff)).toEqual({
      ...nothing,
      own_drafts: empty,
      sent_back: empty,
      without_teacher: empty,
    });
    const opened = await viewer.get('/api/home?opened=whole,gone,new');
    expect(opened.body).toMatchObject({
      opened: [
        { id: 'whole', department: 'CE', syn: 'B' },
        { id: 'new', is_complete: false },
      ],
    });
    expect((await viewer.get('/api/home?opened=a&opened=b')).status).toBe(422);
    expect(await home(admin)).toMatchObject({
      ...{ to_confirm: empty, own_drafts: empty, sent_back: empty, ready_to_notify: empty },
      ...{ to_approve: empty, term, incomplete_entries },
    });
  });

  test('follows a mark sheet from the draft to the notification', async ({ app, admin, staff }) => {
    const ofClass = await aClass({ app, admin }, 5);
    const other = await aClass({ app, admin }, 1);
    await createSheet(admin, other);
    const sheet = await createSheet(staff, ofClass, { title: 'Signals' });
    const shown = { sheet_id: sheet.sheet_id, title: 'Signals', degree: ofClass.degree, semester: 1 };
    await fillSheet(staff, sheet, [70, 65]);
    expect((await home(staff)).own_drafts).toEqual({
      count: 1,
      items: [expect.objectContaining({ ...shown, students: 5, missing: { cells: 3, of: 5 } })],
    });
    await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${ofClass.ids[4]}`, {
      status: 'withdrawn',
      reason: 'W',
    });
    expect((await home(staff)).own_drafts?.items[0]?.missing).toEqual({ cells: 2, of: 4 });
    await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${ofClass.ids[4]}`, {
      status: 'graded',
      reason: null,
    });
    const component_id = sheet.categories[0]?.components[0]?.component_id;
    const rest = ofClass.ids
      .slice(2)
      .map((student_id) => ({ student_id, component_id, value: 60, was: null }));
    await staff.put(`/api/sheets/${sheet.sheet_id}/cells`, { cells: rest });
    await submitSheet(staff, sheet);

    expect((await home(staff)).own_drafts?.count).toBe(0);
    expect((await home(admin)).to_confirm).toEqual({
      count: 1,
      items: [
        expect.objectContaining({
          ...shown,
          submitted_by: { id: staff.user.id, name: staff.user.name },
          submitted_at: expect.any(String),
        }),
      ],
    });
    const reason = 'Two scripts are missing';
    await admin.post(`/api/sheets/${sheet.sheet_id}/take-back`, { reason });
    expect(await home(staff)).toMatchObject({
      own_drafts: { count: 0 },
      sent_back: { count: 1, items: [{ ...shown, reason, by: { id: admin.user.id } }] },
    });
    expect((await home(admin)).to_confirm?.count).toBe(0);
    await submitSheet(staff, sheet);
    expect((await home(staff)).sent_back?.count).toBe(0);
    expect((await home(admin)).ready_to_notify?.count).toBe(0);
    await confirmSheet(admin, sheet);
    const { term_id, degree } = ofClass;
    expect((await home(admin)).ready_to_notify).toEqual({
      count: 1,
      items: [
        {
          ...{ term_id, degree, department: 'CE', semester: 1, sheets: 1, students: 5 },
          term_name: expect.any(String),
        },
      ],
    });
    const notified = await admin.post('/api/result-notifications', {
      term_id,
      degree,
      department: 'CE',
      semester: 1,
    });
    expect(notified.status, notified.text).toBe(201);
    expect((await home(admin)).ready_to_notify?.count).toBe(0);
  });

  test('does not ask the submitter to confirm where another administrator has to', async ({ app, admin }) => {
    const sheet = await aSubmittedSheet({ app, admin }, admin);
    expect((await home(admin)).to_confirm?.count).toBe(1);
    const second = await app.register();
    const appointed = await admin.put(`/api/users/${second.user.id}`, {
      ...second.user,
      role: 'admin',
      password: admin.password,
    });
    expect(appointed.status, appointed.text).toBe(200);
    expect((await home(admin)).to_confirm?.count).toBe(0);
    expect((await home(second)).to_confirm?.items).toMatchObject([{ sheet_id: sheet.sheet_id }]);
  });

  test('counts all and shows five', async ({ app, admin, staff }) => {
    const ofClass = await aClass({ app, admin }, 1);
    const titles = Array.from({ length: 7 }, (_, i) => `Course ${i + 1}`);
    for (const title of titles) {
      const course = aCourse();
      await admin.post('/api/courses', course);
      await createSheet(staff, ofClass, { title, course_id: course.course_id, categories: FULL_SETUP });
    }
    const { own_drafts } = await home(staff);
    expect(own_drafts?.count).toBe(7);
    expect(own_drafts?.items.map(({ title }) => title)).toEqual(titles.slice(0, 5));
    expect(own_drafts?.items[0]?.missing).toEqual({ cells: 11, of: 11 });
  });
});

const NIGHTLY = { dir: '/srv/backups', every: 24 * 3_600_000, keep: 14 };

describe.each(freshApps({ settings: { backup: NIGHTLY } }))(
  'Home with scheduled backups, on $name',
  ({ test }) => {
    test('shows administrators alone where the backups are and when the latest was made', async ({
      app,
      admin,
      staff,
    }) => {
      const backups = { folder: '/srv/backups', every_hours: 24, latest_at: null };
      expect((await home(admin)).backups).toEqual(backups);
      const now = Date.now();
      expect(await claimBackup(app.db.write, NIGHTLY.every, now)).toBe(true);
      expect((await home(admin)).backups).toEqual(backups);
      await recordSuccess(app.db.write, now);
      expect((await home(admin)).backups).toEqual({ ...backups, latest_at: new Date(now).toISOString() });
      expect((await home(staff)).backups).toBeNull();
    });
  },
);
