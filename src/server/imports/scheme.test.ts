import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { previewRows, uploadFile } from '../../../tests/support/app/import-file.ts';
import { addCourses, addDraft, addStudent, previewOf, publish } from '../../../tests/support/app/schemes.ts';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { importRowsReply, importUndoPreview } from '../../contract/imports.ts';
import { type Scheme, schemeReply } from '../../contract/schemes/schemes.ts';

/** Hours of the rows of five semesters, in all the spellings: 13+6, 13+4, 15+3, 17+2, 13+3. */
const SEMESTERS = [
  ['3+1', '3,1', '2-1', '3 1', '3(2+1)', '0-1'],
  ['3+1', '4 (3,1)', '3+1', '2+1', '2+0'],
  ['3+1', '3+1', '3+1', '3+0', '3+0'],
  ['3+1', '3+1', '3+0', '3+0', '3+0', '2+0'],
  ['3+1', '3+1', '3+1', '2+0', '2+0'],
];
/** Rows that need a course which the scheme does not have: semester, place, code, need. */
const NEEDS = [
  [3, 0, 'EE-215', 'EE-116'],
  [4, 1, 'CS-250', 'CS-110'],
  [2, 2, 'MATH-108', 'MATH-111'],
] as const;

const ROWS = SEMESTERS.flatMap((hours, i) =>
  hours.map((text, j) => {
    const [, , code, needs = ''] = NEEDS.find(([semester, place]) => semester === i + 1 && place === j) ?? [];
    return { semester: i + 1, code: code ?? `C-${i + 1}${j}`, hours: text, needs };
  }),
);
const toText = (rows: readonly object[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
    .join('\n');

/** A draft, and courses with these codes. */
async function prepare(admin: Person, staff: Person, codes: readonly string[]): Promise<Scheme> {
  await addCourses(admin, Object.fromEntries([...new Set(codes)].map((code, i) => [code, 500 + i])));
  await addStudent(staff, '46');
  return addDraft(admin, ['46']);
}

const upload = (admin: Person, { scheme_id }: Scheme, text: string) =>
  uploadFile(admin, 'scheme', text, { fields: { scheme_id: String(scheme_id) } });

const readScheme = async (by: Person, { scheme_id }: Scheme) =>
  schemeReply.parse((await by.get(`/api/schemes/${scheme_id}`)).body);

describe.each(freshApps())('imports of schemes, on $name', ({ test }) => {
  test('replace the rows of a draft, whose check names what contradicts itself', async ({
    app,
    admin,
    staff,
  }) => {
    const codes = [...ROWS.map(({ code }) => code), ...NEEDS.map(([, , , need]) => need)];
    const draft = await prepare(admin, staff, codes);
    const uploaded = await upload(admin, draft, toText(ROWS));
    const preview = await previewRows(admin, uploaded);
    expect(preview.counts).toEqual({ create: ROWS.length, update: 0, unchanged: 0, refused: 0 });
    const { fingerprint } = preview;
    const applied = await admin.post(`/api/imports/${uploaded.import_id}/apply`, { fingerprint });
    expect(applied.status, applied.text).toBe(200);
    const scheme = await readScheme(staff, draft);
    expect(
      scheme.semesters.map(({ theory, lab, credits, contact_hours }) => [
        theory,
        lab,
        credits,
        contact_hours,
      ]),
    ).toEqual([
      [13, 6, 19, 31],
      [13, 4, 17, 25],
      [15, 3, 18, 24],
      [17, 2, 19, 23],
      [13, 3, 16, 22],
    ]);
    const checked = await previewOf(admin, scheme);
    expect(checked.refusals.map(({ rule, text }) => [rule, text])).toEqual([
      ['need', 'MATH-108 needs MATH-111, which no earlier semester has.'],
      ['need', 'EE-215 needs EE-116, which no earlier semester has.'],
      ['need', 'CS-250 needs CS-110, which no earlier semester has.'],
    ]);
    expect(checked.warnings.map(({ rule, text }) => [rule, text])).toEqual([
      ['sum', 'The rows come to 89 credit hours of 136.'],
      ['semester-load', 'Semester 1 has 19 credit hours; usual are 15 to 18.'],
      ['semester-load', 'Semester 4 has 19 credit hours; usual are 15 to 18.'],
    ]);
    expect(await findings(app)).toEqual([]);

    const path = `/api/imports/${uploaded.import_id}/undo`;
    const undo = importUndoPreview.parse((await admin.get(path)).body);
    expect(undo).toMatchObject({ undone: 1, kept: [], refused: null });
    expect((await admin.post(path, { fingerprint: undo.fingerprint })).status).toBe(200);
    expect((await readScheme(staff, draft)).rows).toEqual([]);
    expect(await findings(app)).toEqual([]);
  });

  test('refuse rows by their fields', async ({ admin, staff }) => {
    const draft = await prepare(admin, staff, ['A-1', 'A-2', 'A-3']);
    const rows = [
      { semester: 1, code: 'A-1', hours: '3.5+1', credits: '', options: '', needs: '', key: '' },
      { semester: 1, code: 'A-1', hours: '3+1', credits: 5, options: '', needs: '', key: '' },
      { semester: 1, code: 'A-1', hours: '3+0', credits: 3, options: 'A-2 / Z-9', needs: '', key: '' },
      { semester: 1, code: 'A-1', hours: '3+0', credits: 3, options: '', needs: 'Z-8', key: '' },
      { semester: 1, code: 'A-1', hours: '3+0', credits: 3, options: 'A-2; A-3', needs: '', key: 'E' },
      { semester: 2, code: 'A-1', hours: '3+0', credits: 3, options: '', needs: 'A-2; beside A-3', key: 'e' },
      { semester: 9, code: 'A-1', hours: '3+0', credits: 3, options: '', needs: '', key: '' },
      { semester: 2, code: 'A-1', hours: '3+0', credits: 3, options: '', needs: 'A-2; beside A-3', key: '' },
    ];
    const uploaded = await upload(admin, draft, toText(rows));
    const preview = await previewRows(admin, uploaded);
    expect(preview.counts).toMatchObject({ create: 2, refused: 6 });
    const { rows: refused } = importRowsReply.parse(
      (await admin.get(`/api/imports/${uploaded.import_id}/rows?state=refused`)).body,
    );
    expect(refused.map(({ line, errors }) => [line, Object.keys(errors)])).toEqual([
      [2, ['hours']],
      [3, ['credits']],
      [4, ['options']],
      [5, ['needs']],
      [7, ['key']],
      [8, ['semester']],
    ]);
    const { fingerprint } = preview;
    const applied = await admin.post(`/api/imports/${uploaded.import_id}/apply`, {
      fingerprint,
      partial: true,
    });
    expect(applied.status, applied.text).toBe(200);
    expect((await readScheme(staff, draft)).rows).toMatchObject([
      { key: 'E', options: [500, 501, 502] },
      {
        key: 'A-1',
        needs: [
          { course_id: 501, kind: 'before' },
          { course_id: 502, kind: 'beside' },
        ],
      },
    ]);
  });

  test('read a row as the form does: keys that are made, needs that are named twice, long titles, 121 rows', async ({
    admin,
    staff,
  }) => {
    const draft = await prepare(admin, staff, ['A-1', 'A-2', 'A-3']);
    const row = { semester: 1, code: 'A-1', hours: '1+0', title: '', needs: '', key: '' };
    const rows = [
      row,
      { ...row, code: 'A-2', needs: 'A-3; A-3', key: 'a-1' },
      { ...row, code: 'A-3', needs: 'A-1; beside A-1' },
      { ...row, title: 'x'.repeat(256) },
      ...Array.from({ length: 119 }, () => row),
    ];
    const uploaded = await upload(admin, draft, toText(rows));
    const preview = await previewRows(admin, uploaded);
    expect(preview.counts).toMatchObject({ create: 120, refused: 3 });
    const { rows: refused } = importRowsReply.parse(
      (await admin.get(`/api/imports/${uploaded.import_id}/rows?state=refused`)).body,
    );
    expect(refused.map(({ line, errors }) => [line, errors])).toEqual([
      [4, { needs: ['The needs must name each course once.'] }],
      [5, { title: ['The title must be at most 255 characters.'] }],
      [124, { row: ['The rows must be at most 120.'] }],
    ]);
    const { fingerprint } = preview;
    const choices = { fingerprint, partial: true };
    expect((await admin.post(`/api/imports/${uploaded.import_id}/apply`, choices)).status).toBe(200);
    const scheme = await readScheme(staff, draft);
    // The key of the first row keeps clear of the one that the second names.
    expect(scheme.rows.slice(0, 3)).toMatchObject([
      { key: 'A-1-2', options: [500] },
      { key: 'a-1', needs: [{ course_id: 502, kind: 'before' }] },
      { key: 'A-1-3' },
    ]);
    const { name, department, degrees } = scheme;
    const same = { name, department, degrees, rows: scheme.rows };
    const saved = await admin.put(`/api/schemes/${draft.scheme_id}`, same);
    expect(saved.body, 'saving the same in the form changes nothing').toMatchObject({
      scheme: { version: scheme.version },
    });
  });

  test('are an administrator’s, and are not undone once the scheme is published', async ({
    admin,
    staff,
  }) => {
    const draft = await prepare(admin, staff, ['A-1']);
    const text = toText([{ semester: 1, code: 'A-1', hours: '3+0' }]);
    const refused = await staff.post('/api/imports', { kind: 'scheme', text, scheme_id: draft.scheme_id });
    expect(refused.status).toBe(403);
    const unknown = await admin.post('/api/imports', { kind: 'scheme', text, scheme_id: 9_999 });
    expect(unknown.status).toBe(422);
    const uploaded = await upload(admin, draft, text);
    const { fingerprint } = await previewRows(admin, uploaded);
    await admin.post(`/api/imports/${uploaded.import_id}/apply`, { fingerprint });
    await publish(admin, await readScheme(admin, draft));
    const undo = importUndoPreview.parse((await admin.get(`/api/imports/${uploaded.import_id}/undo`)).body);
    expect(undo.refused).toBe('Scheme 1 is published, so it is never changed.');
  });
});
