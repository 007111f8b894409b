import { describe, expect } from 'vitest';
import { getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { historyReply } from '../../contract/history.ts';
import { bulkPreview, bulkReply } from '../../contract/students/bulk.ts';
import { recordReply, type Student, studentCreatedReply } from '../../contract/students/students.ts';
import { calendarDate } from '../../domain/age.ts';

const enter = async (staff: Person, semesters = 0) => {
  const { id } = aStudent();
  await staff.post('/api/students', aStudent({ id, current_sem: 8 }));
  await staff.post('/api/students/family', aFamily(id));
  for (let semester = 1; semester <= semesters; semester += 1) {
    const grade = semester === 8 ? 'A' : 'B';
    await staff.post(
      '/api/students/academics',
      aSemester(id, semester, [{ title: 'Statics', credits: 3, grade }]),
    );
  }
  return id;
};

const getStatus = ({ status, status_date, status_reason }: Student) => ({
  ...{ status, status_date, status_reason },
});
const read = async (by: Person, id: string) => {
  const record = recordReply.parse((await by.get(`/api/students/${id}`)).body);
  if (record === null) throw new Error('No record.');
  return record;
};
const readEntries = async (by: Person, id: string) =>
  historyReply.parse((await by.get(`/api/students/${id}/history`)).body).entries;

const ACTIVE = { status: 'active', status_date: null, status_reason: null };
const today = () => calendarDate(new Date());
const inDays = (days: number) => calendarDate(new Date(Date.now() + days * 86_400_000));

describe.each(sharedApps())('the status of a student, on $name', ({ test }) => {
  test('is active at first, and changes with its date and reason', async ({ staff, viewer }) => {
    const id = await enter(staff);
    const url = `/api/students/${id}`;
    expect(getStatus((await read(staff, id)).student)).toEqual(ACTIVE);
    const leave = { status: 'on-leave', date: '2026-03-02', reason: 'Medical leave' };
    const answer = await staff.put(`${url}/status`, leave);
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"s2"' } });
    const { message, student } = studentCreatedReply.parse(answer.body);
    expect(message).toBe('The status is now: On leave.');
    const stored = { status: 'on-leave', status_date: '2026-03-02', status_reason: 'Medical leave' };
    expect(getStatus(student)).toEqual(stored);
    expect(getStatus((await read(staff, id)).student)).toEqual(stored);

    // A change of the base record leaves it as it is, whatever it sends.
    await staff.put(url, { ...aStudent({ id, first_name: 'Hina' }), status: 'graduated' });
    expect(getStatus((await read(staff, id)).student)).toEqual(stored);

    await staff.put(`${url}/status`, { status: 'withdrawn' });
    expect(getStatus((await read(staff, id)).student)).toEqual({
      ...{ status: 'withdrawn', status_date: today(), status_reason: null },
    });
    expect((await viewer.put(`${url}/status`, { status: 'active' })).status).toBe(403);
    expect((await staff.put('/api/students/nobody/status', { status: 'active' })).status).toBe(404);
  });

  test('refuses a date to come or one that can not be read, and more than a line', async ({ staff }) => {
    const url = `/api/students/${await enter(staff)}/status`;
    const refused = async (body: object) => getFieldErrors(await staff.put(url, body));
    expect(await refused({})).toEqual({ status: ['The status field is required.'] });
    expect(await refused({ status: 'expelled' })).toEqual({
      status: ['The status must be one of active, on-leave, withdrawn, graduated, transferred.'],
    });
    const status = 'withdrawn';
    expect(await refused({ status, date: inDays(1) })).toEqual({
      date: ['The date must not be in the future.'],
    });
    for (const date of ['yesterday', '2026-02-30', 5]) {
      expect(await refused({ status, date })).toEqual({
        date: ['The date must be a date such as 2005-03-14.'],
      });
    }
    for (const reason of ['two\nlines', 'x'.repeat(256), 5]) {
      expect(Object.keys(await refused({ status, reason }))).toEqual(['reason']);
    }
    expect((await staff.put(url, { status, date: today() })).status).toBe(200);
  });

  test('does not begin before the student joined', async ({ staff, admin }) => {
    const id = await enter(staff);
    const url = `/api/students/${id}`;
    const withdraw = (date: string) => staff.put(`${url}/status`, { status: 'withdrawn', date });
    expect(getFieldErrors(await withdraw('2023-09-03'))).toEqual({
      date: ['The date must not be before the joining date, 2023-09-04.'],
    });
    expect((await withdraw('2023-09-04')).status).toBe(200);
    const join = (joining_date: string, first_name = 'Ayesha') =>
      staff.put(url, aStudent({ id, current_sem: 8, joining_date, first_name }));
    expect(getFieldErrors(await join('2023-09-05'))).toEqual({
      joining_date: ['The joining date must not be after the date of the status, 2023-09-04.'],
    });
    expect((await join('2023-09-01', 'Hina')).status).toBe(200);
    const [latest] = await readEntries(staff, id);
    expect((await admin.post(`/api/history/${latest?.id}/restore?state=before`)).status).toBe(201);
    expect(getStatus((await read(staff, id)).student)).toMatchObject({ status_date: '2023-09-04' });

    const other = await enter(staff);
    await staff.put(`/api/students/${other}`, aStudent({ id: other, joining_date: '2024-09-02' }));
    const body = { action: 'status', status: 'graduated', date: '2024-01-10', ids: [id, other] };
    const preview = bulkPreview.parse((await staff.post('/api/students/bulk/preview', body)).body);
    expect(preview).toMatchObject({ changing: 1, joined_later: 1, sample: [{ id }] });
    await staff.post('/api/students/bulk', { ...body, fingerprint: preview.fingerprint });
    expect(getStatus((await read(staff, id)).student)).toMatchObject({ status: 'graduated' });
    expect(getStatus((await read(staff, other)).student)).toEqual(ACTIVE);
  });

  test('is not changed over a newer version than that of If-Match', async ({ staff }) => {
    const id = await enter(staff);
    const change = (status: string, tag: string) =>
      staff.call('PUT', `/api/students/${id}/status`, { body: { status }, headers: { 'if-match': tag } });
    expect((await change('withdrawn', '"s1.f1"')).status).toBe(200);
    expect(await change('graduated', '"s1.f1"')).toMatchObject({
      status: 412,
      body: { current: { status: 'withdrawn' } },
    });
    expect((await read(staff, id)).student.status).toBe('withdrawn');
  });

  test('is in the history in words, and restored from there and with a deleted record', async ({
    admin,
    staff,
  }) => {
    const id = await enter(staff);
    const url = `/api/students/${id}`;
    await staff.put(`${url}/status`, { status: 'on-leave', date: '2026-03-02', reason: 'Medical leave' });
    await staff.put(`${url}/status`, { status: 'transferred', date: '2026-04-01' });
    const [transfer, leave] = await readEntries(staff, id);
    expect(leave?.changes).toEqual([
      { field: 'status', label: 'Status', before: 'Active', after: 'On leave' },
      { field: 'status_date', label: 'Status since', before: null, after: '2026-03-02' },
      {
        ...{ field: 'status_reason', label: 'Reason for the status' },
        ...{ before: null, after: 'Medical leave' },
      },
    ]);
    expect((await admin.post(`/api/history/${transfer?.id}/restore?state=before`)).status).toBe(201);
    const onLeave = { status: 'on-leave', status_date: '2026-03-02', status_reason: 'Medical leave' };
    expect(getStatus((await read(staff, id)).student)).toEqual(onLeave);

    await staff.delete(url);
    await admin.post(`${url}/restore`);
    expect(getStatus((await read(staff, id)).student)).toEqual(onLeave);
    expect((await admin.post(`/api/history/${leave?.id}/restore?state=before`)).status).toBe(201);
    expect(getStatus((await read(staff, id)).student)).toEqual(ACTIVE);
  });

  test('of many changes at once, with a preview, and is undone', async ({ staff }) => {
    const ids = [await enter(staff), await enter(staff), await enter(staff)];
    await staff.put(`/api/students/${ids[0]}/status`, { status: 'graduated', date: '2026-01-10' });
    const body = { action: 'status', status: 'graduated', date: '2026-07-01', reason: 'Class of 2026', ids };
    const preview = bulkPreview.parse((await staff.post('/api/students/bulk/preview', body)).body);
    const after = { status: 'graduated', status_date: '2026-07-01', status_reason: 'Class of 2026' };
    expect(preview).toMatchObject({
      changing: 2,
      as_asked: 1,
      sample: [{ before: ACTIVE, after }, { after }],
    });
    const answer = await staff.post('/api/students/bulk', { ...body, fingerprint: preview.fingerprint });
    const { message, change } = bulkReply.parse(answer.body);
    expect(message).toBe('2 students have been given the status Graduated.');
    const statuses = () => Promise.all(ids.map(async (id) => getStatus((await read(staff, id)).student)));
    const first = { status: 'graduated', status_date: '2026-01-10', status_reason: null };
    expect(await statuses()).toEqual([first, after, after]);
    expect((await staff.post(`/api/students/bulk/${change.id}/undo`)).status).toBe(200);
    expect(await statuses()).toEqual([first, ACTIVE, ACTIVE]);

    const refused = async (sent: object) =>
      getFieldErrors(await staff.post('/api/students/bulk/preview', { ...body, ...sent }));
    expect(await refused({ status: undefined })).toEqual({ status: ['The status field is required.'] });
    expect(await refused({ date: inDays(2) })).toEqual({ date: ['The date must not be in the future.'] });
  });

  test('takes a student out of the insights, and the others are counted as before', async ({ staff }) => {
    const id = await enter(staff, 8);
    const figures = async () => {
      const panels = ['cgpas', 'low-cgpas?cgpa_below=4', 'falls', 'class-sizes'];
      return Promise.all(panels.map(async (panel) => (await staff.get(`/api/insights/${panel}`)).body));
    };
    const before = await figures();
    expect(before[0]).toMatchObject({ groups: [{ value: 'CE', final: { students: 1, median_tenth: 31 } }] });
    await staff.put(`/api/students/${id}/status`, { status: 'graduated' });
    const others = await enter(staff, 8);
    expect(await figures()).toEqual(before);
    await staff.delete(`/api/students/${others}`);
    expect((await figures())[0]).toMatchObject({ groups: [{ final: { students: 0, median_tenth: null } }] });
  });
});

describe.each(sharedApps())('the CGPA of a student, on $name', ({ test }) => {
  const readSummary = async (by: Person, id: string) => (await read(by, id)).academics_summary;
  const readRow = async (by: Person, id: string) => {
    const { body } = await by.get(`/api/students?q=${id}`);
    return (body as { students: Record<string, unknown>[] }).students[0];
  };

  test('is missing everywhere while nothing is graded', async ({ staff }) => {
    const id = await enter(staff);
    await staff.post('/api/students/academics', {
      ...{ student_id: id, semester: 1, subject_1: 'Seminar', subject_2: 'Statics', subj_credit_2: 3 },
    });
    const none = { latest_cgpa: null, latest_cgpa_semester: null, final_cgpa: null };
    expect(await readSummary(staff, id)).toEqual(none);
    expect((await read(staff, id)).academics).toMatchObject([{ sgpa: 0, cgpa: 0 }]);
    expect(await readRow(staff, id)).toMatchObject({ cgpa: null, cgpa_semester: null, final_cgpa: null });
    const low = await staff.get(`/api/students?q=${id}&cgpa_below=4`);
    expect(low.body).toMatchObject({ students: [] });
    await staff.post(
      '/api/students/academics',
      aSemester(id, 2, [{ title: 'Statics', credits: 3, grade: 'F' }]),
    );
    expect(await readSummary(staff, id)).toEqual({ ...none, latest_cgpa: 0, latest_cgpa_semester: 2 });
    expect(await readRow(staff, id)).toMatchObject({ cgpa: 0, cgpa_semester: 2 });
  });

  test('names the semester that it follows, and the final one stands beside it', async ({ staff }) => {
    const seven = await enter(staff, 7);
    expect(await readSummary(staff, seven)).toEqual({
      ...{ latest_cgpa: 3, latest_cgpa_semester: 7, final_cgpa: null },
    });
    // 7 × 3 and 4: 25 ÷ 8 = 3.125.
    const eight = await enter(staff, 8);
    expect(await readSummary(staff, eight)).toEqual({
      ...{ latest_cgpa: 3, latest_cgpa_semester: 7, final_cgpa: 3.13 },
      current_cgpa: { value: 3.13, semester: 8 },
    });
    expect(await readRow(staff, eight)).toMatchObject({ cgpa: 3, cgpa_semester: 7, final_cgpa: 3.13 });
    const { text } = await staff.get(`/api/exports/students.csv?q=${eight}`);
    expect(text.split('\r\n')[0]).toContain(
      'Status,Status Since,Standing,CGPA,CGPA after Semester,Final CGPA',
    );
    expect(text.split('\r\n')[1]).toContain(',8,Active,,Good standing,3,7,3.13,');
  });
});
