import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';

const PANELS = ['cgpas', 'low-cgpas', 'falls', 'pass-rates', 'class-sizes', 'standings'];
const figures = async (by: Person, panel: string) => (await by.get(`/api/insights/${panel}`)).body;

const statics = (credits: number, grade: 'A' | 'B' | 'C' | 'F', id?: number) => ({
  ...{ subject_1: 'Statics', subj_credit_1: credits, subj_grade_1: grade },
  ...(id !== undefined && { subject_1_id: id }),
});

describe.each(freshApps())('figures of all students, on $name', ({ test }) => {
  test('are empty without records', async ({ admin }) => {
    expect(await figures(admin, 'cgpas')).toEqual({ split: 'department', groups: [] });
    expect(await figures(admin, 'low-cgpas')).toEqual({ cgpa_below: 2, departments: [] });
    expect(await figures(admin, 'falls')).toEqual({ fell_by: 0.5, departments: [] });
    expect(await figures(admin, 'pass-rates')).toEqual([]);
    expect(await figures(admin, 'class-sizes')).toEqual([]);
    expect(await figures(admin, 'standings')).toEqual([]);
  });

  test('match hand calculations: one student with SGPA 4.00 and then 0.00, one with 2.00, one without', async ({
    staff,
  }) => {
    const course = aCourse();
    await staff.post('/api/courses', course);
    for (const [id, changes] of [
      ['fell', { current_sem: 3, degree: '44' }],
      ['low', { current_sem: 2, degree: '9', syn: 'A' }],
      ['new', { current_sem: 1, department: 'EE' }],
    ] as const) {
      await staff.post('/api/students', aStudent({ id, ...changes }));
      if (id !== 'new') await staff.post('/api/students/family', aFamily(id));
    }
    const record = (id: string, semester: number, slots: object) =>
      staff.post('/api/students/academics', { ...aSemester(id, semester, []), ...slots });
    await record('fell', 1, statics(3, 'A', course.course_id));
    await record('fell', 2, statics(3, 'F', course.course_id));
    await record('low', 1, statics(3, 'C', course.course_id));

    const bins = (at: Record<number, number>) => Array.from({ length: 20 }, (_, bin) => at[bin] ?? 0);
    const final = { students: 0, median_tenth: null };
    expect(await figures(staff, 'cgpas')).toEqual({
      split: 'department',
      groups: [
        { value: 'EE', students: 1, bins: bins({}), median_tenth: null, final },
        { value: 'CE', students: 2, bins: bins({ 10: 2 }), median_tenth: 20, final },
      ],
    });
    expect(await figures(staff, 'cgpas?split=degree')).toMatchObject({
      groups: [{ value: '9' }, { value: '44', students: 2 }],
    });
    const low = (below: string) => figures(staff, `low-cgpas?cgpa_below=${below}`);
    expect(await low('2')).toEqual({
      cgpa_below: 2,
      departments: [{ department: 'CE', students: 0, of: 2 }],
    });
    expect(await low('2.01')).toMatchObject({ departments: [{ department: 'CE', students: 2, of: 2 }] });
    expect(await figures(staff, 'falls?fell_by=4')).toEqual({
      fell_by: 4,
      departments: [
        { department: 'EE', students: 0, of: 1 },
        { department: 'CE', students: 1, of: 2 },
      ],
    });
    const { course_id, course_code, course_name } = course;
    const results = { course_id, results: 3, failed: 1 };
    expect(await figures(staff, 'pass-rates')).toEqual([{ ...results, course_code, course_name }]);
    await staff.delete(`/api/courses/${course_id}`);
    expect(await figures(staff, 'pass-rates')).toEqual([
      { ...results, course_code: null, course_name: null },
    ]);
    expect(await figures(staff, 'class-sizes')).toEqual([
      { department: 'CE', current_sem: 2, syn: 'A', students: 1, incomplete: 0 },
      { department: 'CE', current_sem: 3, syn: 'B', students: 1, incomplete: 0 },
      { department: 'EE', current_sem: 1, syn: 'B', students: 1, incomplete: 1 },
    ]);
    expect(await figures(staff, 'standings')).toEqual([
      { department: 'CE', standing: 'good', students: 1 },
      { department: 'CE', standing: 'warning', students: 1 },
    ]);
    await staff.put('/api/students/low/status', { status: 'withdrawn', reason: null });
    expect(await figures(staff, 'standings')).toEqual([
      { department: 'CE', standing: 'warning', students: 1 },
    ]);
  });
});

describe.each(sharedApps())('the routes of the figures, on $name', ({ test }) => {
  test.for(PANELS)('%s is open to every signed-in user only', async (panel, { app, viewer }) => {
    expect((await viewer.get(`/api/insights/${panel}`)).status).toBe(200);
    expect((await app.call('GET', `/api/insights/${panel}`)).status).toBe(401);
  });

  test.for([
    ['cgpas?split=name', { split: ['The split must be one of department, degree, syn.'] }],
    [
      'low-cgpas?cgpa_below=low',
      { cgpa_below: ['The cgpa below must be 0 to 4 with at most two decimals.'] },
    ],
    ['low-cgpas?cgpa_below=2.005', { cgpa_below: [expect.any(String)] }],
    ['falls?fell_by=-1', { fell_by: [expect.any(String)] }],
    ['falls?fell_by=4.01', { fell_by: [expect.any(String)] }],
    ['falls?by=1', { by: ['There is no such parameter.'] }],
  ] as const)('refuse invalid parameters: %s', async ([call, errors], { staff }) => {
    expect(getFieldErrors(await staff.get(`/api/insights/${call}`))).toEqual(errors);
  });
});
