import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import {
  aHold,
  HOLD_REASON,
  holdsOf,
  placeHold,
  readHold,
  releaseHold,
} from '../../../../tests/support/app/holds.ts';
import { refusedFields } from '../../../../tests/support/app/schemes.ts';
import { freshApps, type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aStudent, unique } from '../../../../tests/support/records.ts';
import { ownCopyReply } from '../../../contract/documents/own-copy.ts';
import { historyReply } from '../../../contract/history.ts';
import { homeReply } from '../../../contract/home.ts';
import { holdsReply } from '../../../contract/students/holds.ts';
import { calendarDate } from '../../../domain/age.ts';

const DAY_MS = 24 * 60 * 60_000;
const inDays = (days: number) => calendarDate(new Date(Date.now() + days * DAY_MS));

async function addStudent(by: Person, changes: Parameters<typeof aStudent>[0] = {}): Promise<string> {
  const student = aStudent(changes);
  expect((await by.post('/api/students', student)).status).toBe(201);
  return student.id;
}

describe.each(sharedApps())('holds on students, on $name', ({ test }) => {
  test('are placed by staff, read by viewers and released once by an administrator', async ({
    admin,
    staff,
    viewer,
  }) => {
    const id = await addStudent(staff);
    const path = `/api/students/${id}/holds`;
    const placed = await staff.post(path, aHold({ blocks: ['registration', 'official-documents'] }));
    const hold = readHold(placed.body);
    expect([placed.status, placed.headers.etag]).toEqual([201, '"b1"']);
    const { user } = staff;
    expect(hold).toEqual({
      ...{ hold_id: hold.hold_id, student_id: id, kind: 'fees', reason: HOLD_REASON },
      ...{ blocks: ['official-documents', 'registration'], from: inDays(0), until: null },
      ...{ by: { id: user.id, name: user.name }, placed_at: expect.any(String), state: 'active' },
      ...{ released: null, overrides: [], version: 1 },
    });
    const second = await placeHold(staff, id, { kind: 'library', from: inDays(3), until: inDays(9) });
    const third = await placeHold(staff, id, { kind: 'other', from: '2020-01-01', until: '2020-02-01' });
    expect((await holdsOf(viewer, id)).map(({ kind, state }) => [kind, state])).toEqual([
      ['other', 'ended'],
      ['library', 'future'],
      ['fees', 'active'],
    ]);

    const release = `/api/holds/${hold.hold_id}/release`;
    for (const person of [staff, viewer])
      expect((await person.post(release, { reason: 'The dues are paid.' })).status).toBe(403);
    expect((await viewer.post(path, aHold())).status).toBe(403);
    expect(refusedFields(await admin.post(release, { reason: 'Paid.' }))).toEqual({
      reason: 'The reason must be at least 10 characters.',
    });
    const stale = await admin.call('POST', release, {
      body: { reason: 'The dues are paid.' },
      headers: { 'if-match': '"b7"' },
    });
    expect(stale).toMatchObject({
      status: 412,
      body: { current: { hold_id: hold.hold_id }, changed_by: user.name },
    });
    const released = await admin.call('POST', release, {
      body: { reason: 'The dues are paid.' },
      headers: { 'if-match': '"b1"' },
    });
    expect([released.status, released.headers.etag]).toEqual([200, '"b2"']);
    expect(readHold(released.body)).toMatchObject({
      state: 'released',
      released: { by: { id: admin.user.id, name: admin.user.name }, reason: 'The dues are paid.' },
      version: 2,
    });
    expect(await releaseHold(admin, hold)).toMatchObject({
      status: 409,
      body: { message: 'This hold was released before.' },
    });
    expect((await releaseHold(admin, third)).status).toBe(409);
    expect((await releaseHold(admin, second)).status).toBe(200);
    expect((await releaseHold(admin, { hold_id: 999_999_999 })).status).toBe(404);

    const { entries } = historyReply.parse((await staff.get(`/api/students/${id}/history`)).body);
    const ofHold = entries.filter(({ entity }) => entity === 'hold');
    expect(ofHold.map(({ action, user: { name } }) => [action, name])).toEqual([
      ['update', admin.user.name],
      ['update', admin.user.name],
      ['create', user.name],
      ['create', user.name],
      ['create', user.name],
    ]);
    expect(ofHold[1]?.changes).toEqual([
      {
        ...{ field: 'release_reason', label: 'Reason of the release' },
        ...{ before: null, after: 'The dues are paid.' },
      },
    ]);
    expect(ofHold.at(-1)?.changes).toContainEqual({
      ...{ field: 'blocks', label: 'Blocks', before: null, after: 'official-documents, registration' },
    });
    expect(await admin.post(`/api/history/${ofHold[1]?.id}/restore?state=before`)).toMatchObject({
      status: 409,
      body: { message: 'This can’t be restored.' },
    });
  });

  test('are refused by field, and beyond 100 of a student', async ({ staff }) => {
    const id = await addStudent(staff);
    const path = `/api/students/${id}/holds`;
    for (const [changes, errors] of [
      [{ blocks: [] }, { blocks: 'The blocks must name at least one thing.' }],
      [{ blocks: undefined }, { blocks: 'The blocks field is required.' }],
      [{ kind: 'debts' }, { kind: expect.any(String) }],
      [{ blocks: ['marks'] }, { blocks: expect.any(String) }],
      [{ reason: 'Dues' }, { reason: 'The reason must be at least 10 characters.' }],
      [
        { from: '2026-11-02', until: '2026-11-01' },
        { until: 'The last day must not be before the first one.' },
      ],
      [{ until: '2020-01-01' }, { until: 'The last day must not be before the first one.' }],
      [{ from: '2026-02-31' }, { from: expect.any(String) }],
    ] as const)
      expect(refusedFields(await staff.post(path, aHold(changes)))).toEqual(errors);
    expect(await holdsOf(staff, id)).toEqual([]);
    expect((await staff.post('/api/students/nobody/holds', aHold())).status).toBe(404);
    expect((await staff.get('/api/students/nobody/holds')).status).toBe(404);
    const key = unique();
    const send = () => staff.call('POST', path, { body: aHold(), headers: { 'idempotency-key': key } });
    expect((await send()).text).toBe((await send()).text);
    for (let i = 1; i < 100; i += 1) await placeHold(staff, id);
    expect(refusedFields(await staff.post(path, aHold()))).toEqual({
      holds: 'The holds must be at most 100.',
    });
  });

  test('go with the record: to another ID, into its deletion and back', async ({ admin, staff }) => {
    const id = await addStudent(staff);
    const hold = await placeHold(staff, id);
    const later = `${id}-x`;
    const renamed = await admin.put(`/api/students/${id}/id`, { id: later });
    expect(renamed.status, renamed.text).toBe(200);
    expect(await holdsOf(staff, later)).toEqual([{ ...hold, student_id: later }]);
    expect((await staff.delete(`/api/students/${later}`)).status).toBe(200);
    expect((await releaseHold(admin, hold)).status).toBe(404);
    expect((await staff.post(`/api/students/${later}/restore`)).status).toBe(201);
    expect(await holdsOf(staff, later)).toEqual([{ ...hold, student_id: later }]);
    expect((await releaseHold(admin, hold)).status).toBe(200);
    const copy = ownCopyReply.parse((await admin.get(`/api/students/${later}/own-copy`)).body);
    expect(copy.holds).toMatchObject([{ kind: 'fees', state: 'released' }]);
    expect(JSON.stringify(copy)).not.toContain(staff.user.name);
  });

  test('are in the history as they are stored', async ({ app }) => {
    expect(await findings(app)).toEqual([]);
  });
});

describe.each(freshApps())('the list of holds, on $name', ({ test }) => {
  test('has those that are asked for, the latest first, page by page', async ({ admin, staff, viewer }) => {
    const one = await addStudent(staff, { id: '2024123', first_name: 'Fizza', last_name: 'Naqvi' });
    const other = await addStudent(staff, { id: '2024180', first_name: 'Amna', last_name: 'Jogezai' });
    const fees = await placeHold(staff, one, { blocks: ['official-documents', 'certificate'] });
    const library = await placeHold(staff, other, {
      kind: 'library',
      until: inDays(10),
      blocks: ['certificate'],
    });
    const future = await placeHold(staff, other, { from: inDays(1), blocks: ['registration'] });
    const over = await placeHold(staff, one, { kind: 'other' });
    expect((await releaseHold(admin, over)).status).toBe(200);
    const list = async (query: string) => {
      const answer = await viewer.get(`/api/holds?${query}`);
      expect(answer.status, answer.text).toBe(200);
      return holdsReply.parse(answer.body);
    };
    const ids = async (query: string) => (await list(query)).holds.map(({ hold_id }) => hold_id);
    const all = [over, future, library, fees].map(({ hold_id }) => hold_id);
    expect(await list('')).toMatchObject({
      total: 4,
      next_cursor: null,
      holds: [{}, { student_id: other, first_name: 'Amna', last_name: 'Jogezai', state: 'future' }, {}, {}],
    });
    expect(await ids('')).toEqual(all);
    expect(await ids('state=active')).toEqual([library.hold_id, fees.hold_id]);
    expect(await ids('state=future')).toEqual([future.hold_id]);
    expect(await ids('state=released')).toEqual([over.hold_id]);
    expect(await ids('state=ended')).toEqual([]);
    expect(await ids('kind=fees')).toEqual([future.hold_id, fees.hold_id]);
    expect(await ids('blocks=certificate')).toEqual([library.hold_id, fees.hold_id]);
    expect(await ids('ending=true')).toEqual([library.hold_id]);
    expect(await ids('q=JOGE')).toEqual([future.hold_id, library.hold_id]);
    expect(await ids('q=20241')).toEqual(all);
    expect(await ids('q=2024123')).toEqual([over.hold_id, fees.hold_id]);
    const first = await list('limit=3');
    expect(first).toMatchObject({ total: 4, next_cursor: expect.any(String) });
    expect(await list(`limit=3&cursor=${first.next_cursor}`)).toMatchObject({
      holds: [{ hold_id: fees.hold_id }],
      next_cursor: null,
    });
    expect((await viewer.get('/api/holds?cursor=x')).status).toBe(422);
    expect((await viewer.get('/api/holds?kind=debts')).status).toBe(422);

    const home = homeReply.parse((await staff.get('/api/home')).body);
    expect(home.holds_ending).toMatchObject({
      count: 1,
      items: [{ hold_id: library.hold_id, student_id: other, until: inDays(10) }],
    });
  });
});
