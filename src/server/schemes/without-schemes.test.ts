import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import { addCourses, addScheme, addStudent, aRow } from '../../../tests/support/app/schemes.ts';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { INSTITUTION } from '../../../tests/support/records.ts';
import { documentsCreatedReply } from '../../contract/documents/documents.ts';
import { equivalentPreview } from '../../contract/schemes/equivalents.ts';

/** A faculty of CE, with results by hand and from mark sheets. */
async function makeFaculty(app: TestApp, admin: Person) {
  await admin.put('/api/institution', INSTITUTION);
  await addCourses(admin, { 'X-1': 1, 'X-2': 2, 'X-3': 3, 'X-4': 4 });
  const ofClass = await aClass({ app, admin }, 2);
  const { degree } = ofClass;
  const sheet = await fillSheet(admin, await createSheet(admin, ofClass), [70, 40]);
  await submitSheet(admin, sheet);
  await confirmSheet(admin, sheet);
  const id = await addStudent(admin, degree, [
    [
      [1, 'F'],
      [2, 'B'],
    ],
    [[1, 'C']],
  ]);
  const order = { kind: 'transcript', official: true, ids: [id] };
  const issued = documentsCreatedReply.parse((await admin.post('/api/documents', order)).body);
  const document = await app.db.read
    .selectFrom('documents')
    .select(['serial', 'code'])
    .where('serial', '=', issued.documents[0]?.serial ?? '')
    .executeTakeFirstOrThrow();
  return { id, degree, sheet, ...document, ids: [id, ...ofClass.ids] };
}

/** What other schemes must not change. */
const toCalls = ({
  id,
  degree,
  sheet: { sheet_id },
  serial,
  code,
  ids,
}: Awaited<ReturnType<typeof makeFaculty>>) => {
  const ofClass = `department=CE&degree=${degree}`;
  const students = ids.flatMap((one) =>
    ['', '/cgpa', '/degree-check', '/plan?target=3', '/standing', '/result-rights', '/history', '/audit'].map(
      (part) => `/api/students/${one}${part}`,
    ),
  );
  const reports = ['ranking', 'result-summary', 'degree-check', 'deans-list', 'audit'].map(
    (name) => `/api/reports/${name}?${ofClass}`,
  );
  return [
    ...students,
    ...reports,
    ...[`/api?degree=${degree}`, `/api/students?degree=${degree}`, `/api/students?failed=1&degree=${degree}`],
    ...[`/api/students/${id}/base`, `/api/students/${id}/academics/create`, `/api/students/${id}/own-copy`],
    ...[`/api/students/${id}/class-subjects?semester=2`, `/api/students/${id}/scheme-subjects?semester=1`],
    ...['/api/courses', '/api/courses/1', '/api/courses/1/uses', '/api/policies', '/api/policies/batches'],
    ...['pass-rates', 'low-cgpas', 'falls', 'cgpas', 'standings', 'class-sizes'].map(
      (name) => `/api/insights/${name}`,
    ),
    ...['', '/checks', '/offerings', '/history'].map((part) => `/api/sheets/${sheet_id}${part}`),
    `/api/exports/students.csv?degree=${degree}`,
    `/api/reports/export.csv?report=degree-check&${ofClass}`,
    ...[`/api/documents?serial=${serial}`, `/api/verify/${code}`, `/api/schemes?${ofClass}`],
  ];
};

async function readAll(by: Person, calls: readonly string[]) {
  const replies: Record<string, unknown> = {};
  const refused: string[] = [];
  for (const path of calls) {
    const { status, text, headers } = await by.get(path);
    if (status !== 200) refused.push(`${path}: ${status}`);
    // The copy of a record says when it was made, and the next one that it was.
    const stable = text.replaceAll(/"made_at":"[^"]+"/g, '').replace(/"disclosures":.*/, '');
    replies[path] = { text: stable, etag: headers.etag };
  }
  expect(refused).toEqual([]);
  return replies;
}

describe.each(freshApps())('a faculty without schemes, on $name', ({ test }) => {
  test('has the same replies when others have schemes, exceptions, credits from elsewhere and equivalents', async ({
    app,
    admin,
  }) => {
    const faculty = await makeFaculty(app, admin);
    const other = await addStudent(admin, '46', [[[3, 'B']], [[4, 'A']]], 'ME');
    const calls = toCalls(faculty);
    const before = await readAll(admin, calls);

    await addScheme(admin, null, [aRow([1], { key: 'A' }), aRow([2], { key: 'B' })], 'ME');
    const path = `/api/students/${other}`;
    const exception = { row: 'A', course_id: null, reason: 'Exempted by the faculty board.' };
    const credit = { title: 'Physics', credits: 3, institution: 'UET', grade: null, row: 'B' };
    const pair = { course_id: 3, other_id: 4, degrees: ['46'] };
    const { fingerprint } = equivalentPreview.parse(
      (await admin.post('/api/equivalents/preview', pair)).body,
    );
    for (const [url, body] of [
      [`${path}/exceptions`, exception],
      [`${path}/outside-credits`, credit],
      ['/api/equivalents', { ...pair, fingerprint }],
    ] as const) {
      const made = await admin.post(url, body);
      expect(made.status, made.text).toBe(201);
    }
    expect(await readAll(admin, calls)).toEqual(before);
  });

  test('has the members that replies had before there were schemes', async ({ app, admin }) => {
    const { id, code } = await makeFaculty(app, admin);
    const read = async (path: string) => Object((await admin.get(path)).body);
    const check: { lines: { rule: string }[] } = await read(`/api/students/${id}/degree-check`);
    expect(check.lines.map(({ rule }) => rule)).toEqual([
      ...['semesters', 'credits', 'cgpa', 'no-fails', 'no-incomplete', 'linked'],
    ]);
    expect(check.lines[1]).toEqual({ rule: 'credits', state: 'fail', text: '6 credit hours earned of 136.' });
    const plan = await read(`/api/students/${id}/plan?target=3`);
    expect(plan).toMatchObject({ credits_left: 130 });
    expect(await read(`/api/students/${id}/cgpa`)).toMatchObject({ credits_earned: 6, credits_outside: 0 });
    expect(await read(`/api/verify/${code}`)).toMatchObject({ credits: 6 });
    const { content } = await app.db.read
      .selectFrom('documents')
      .select('content')
      .where('student_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(content).figures).not.toHaveProperty('outside');
  });
});
