import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { academicsStepReply } from '../../contract/students/academics.ts';
import { familyStepReply } from '../../contract/students/students.ts';

const readSteps = async (staff: Person, id: string) => {
  const family = await staff.get(`/api/students/${id}/family/create`);
  const academics = await staff.get(`/api/students/${id}/academics/create`);
  expect([family.status, academics.status]).toEqual([200, 200]);
  return { family: familyStepReply.parse(family.body), academics: academicsStepReply.parse(academics.body) };
};

/** The reason that every refused step returns. */
const reason = expect.stringMatching(/^[A-Z].+\.$/);
const closed = { canProceed: false, redirectToDashboard: false, redirectToMain: false, message: reason };

describe.each(freshApps())('the checks of the entry steps, on $name', ({ test }) => {
  // Covers 4.8, 4.11, 4.14
  test('redirect to the base step without a student', async ({ admin }) => {
    for (const id of ['nobody', 'create', '%00', "'"]) {
      expect(await readSteps(admin, id)).toEqual({
        family: { canProceed: false, redirectTo: 'base', message: reason },
        academics: { ...closed, redirectToMain: true },
      });
    }
  });

  // Covers 4.7, 4.9, 4.10, 4.11, 4.12, 4.13, 7.22, 7.23, A49
  test('open one after another as the steps are completed', async ({ admin }) => {
    const student = aStudent({ current_sem: 2 });
    const { id } = student;
    await admin.post('/api/students', student);
    expect(await readSteps(admin, id)).toEqual({
      family: { canProceed: true, message: expect.any(String) },
      academics: closed,
    });

    await admin.post('/api/students/family', aFamily(id));
    for (const nextSemester of [1, 2]) {
      expect(await readSteps(admin, id)).toEqual({
        family: { canProceed: false, redirectTo: 'academics', message: reason },
        academics: { ...closed, canProceed: true, message: expect.any(String), nextSemester },
      });
      await admin.post('/api/students/academics', aSemester(id, nextSemester, []));
    }

    const recorded = {
      family: { canProceed: false, redirectTo: 'dashboard', message: reason },
      academics: { ...closed, redirectToDashboard: true },
    };
    expect(await readSteps(admin, id)).toEqual(recorded);

    await admin.put(`/api/students/${id}`, { ...student, current_sem: 3 });
    expect((await readSteps(admin, id)).academics).toMatchObject({ canProceed: true, nextSemester: 3 });
    await admin.put(`/api/students/${id}`, { ...student, current_sem: 1 });
    expect(await readSteps(admin, id)).toEqual(recorded);

    await admin.delete(`/api/students/${id}`);
    expect((await readSteps(admin, id)).family.redirectTo).toBe('base');
  });
});
