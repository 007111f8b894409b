import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { importRows, listRows, prepareImport } from '../../../tests/support/app/import-file.ts';
import { freshApps } from '../../../tests/support/app/test-app.ts';
import { importUndoPreview } from '../../contract/imports.ts';

const aRow = (course_id: number | string, changes: object = {}) => ({
  course_id,
  course_code: `ME-${course_id}`,
  course_name: 'Statics',
  course_description: 'Forces at rest.',
  credits: 3,
  ...changes,
});

describe.each(freshApps())('an import of courses, on $name', ({ test }) => {
  test('adds new ones and changes others, and can be undone', async ({ app, staff }) => {
    await staff.post('/api/courses', aRow(101));
    await staff.post('/api/courses-marks', { course_id: 101, marks: '40,80' });
    const { import_id, counts } = await importRows(staff, 'courses', [
      aRow(101, { course_name: 'Dynamics', credits: '', course_description: '[clear]' }),
      aRow(102),
    ]);
    expect(counts).toEqual({ create: 1, update: 1, unchanged: 0, refused: 0 });
    const courses = async () => (await staff.get('/api/courses')).body;
    expect(await courses()).toMatchObject([
      { course_id: 101, course_name: 'Dynamics', credits: 3, course_description: null, marks_count: 2 },
      { course_id: 102, course_name: 'Statics', marks_count: 0 },
    ]);
    expect(await findings(app)).toEqual([]);
    const { fingerprint, undone } = importUndoPreview.parse(
      (await staff.get(`/api/imports/${import_id}/undo`)).body,
    );
    expect(undone).toBe(2);
    await staff.post(`/api/imports/${import_id}/undo`, { fingerprint });
    expect(await courses()).toMatchObject([{ course_id: 101, course_name: 'Statics', marks_count: 2 }]);
    expect(await findings(app)).toEqual([]);
  });

  test('keeps in an undo what has got marks or results since', async ({ staff }) => {
    const { import_id } = await importRows(staff, 'courses', [aRow(101), aRow(102), aRow(103)]);
    await staff.post('/api/courses-marks', { course_id: 101, marks: '40,80' });
    await staff.put('/api/courses/103', { ...aRow(103), course_name: 'Dynamics' });
    const preview = importUndoPreview.parse((await staff.get(`/api/imports/${import_id}/undo`)).body);
    expect(preview).toMatchObject({
      undone: 1,
      kept: [
        { key: '101', reason: 'Changed since.' },
        { key: '103', reason: 'Changed since.' },
      ],
    });
  });

  test('refuses what the form refuses, and an ID with different values', async ({ staff }) => {
    const { id, preview } = await prepareImport(staff, 'courses', [
      aRow('ME-1'),
      aRow(2, { course_name: '', credits: 9 }),
      aRow(3),
      aRow('03', { course_name: 'Dynamics' }),
    ]);
    expect(preview.counts.refused).toBe(4);
    const clash = 'The course id is in lines 4, 5, with different values. Keep one of them.';
    expect((await listRows(staff, id)).map(({ errors }) => errors)).toEqual([
      { course_id: ['The course id must be a whole number of at least 1.'] },
      {
        course_name: ['The course name field is required.'],
        credits: ['The credits must be a whole number from 1 to 6.'],
      },
      { course_id: [clash] },
      { course_id: [clash] },
    ]);
  });
});
