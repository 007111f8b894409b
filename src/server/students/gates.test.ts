import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../tests/support/app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { academicsGateReply } from '../../contract/academics.ts';
import { familyGateReply } from '../../contract/family.ts';

const gatesOf = async (staff: Person, id: string) => {
  const family = await staff.get(`/api/students/${id}/family/create`);
  const academics = await staff.get(`/api/students/${id}/academics/create`);
  expect([family.status, academics.status]).toEqual([200, 200]);
  return { family: familyGateReply.parse(family.body), academics: academicsGateReply.parse(academics.body) };
};

/** A closed gate says why. */
const why = expect.stringMatching(/^[A-Z].+\.$/);
const closed = { canProceed: false, redirectToDashboard: false, redirectToMain: false, message: why };

describe.each(freshApps())('the gates of the steps of a new record, on $name', ({ test }) => {
  test('without a student lead to the base step', async ({ admin }) => {
    for (const id of ['nobody', 'create', '%00', "'"]) {
      expect(await gatesOf(admin, id)).toEqual({
        family: { canProceed: false, redirectTo: 'base', message: why },
        academics: { ...closed, redirectToMain: true },
      });
    }
  });

  test('follow the entry step by step', async ({ admin }) => {
    const student = aStudent({ current_sem: 2 });
    const { id } = student;
    await admin.post('/api/students', student);
    expect(await gatesOf(admin, id)).toEqual({
      family: { canProceed: true, message: expect.any(String) },
      academics: closed,
    });

    await admin.post('/api/students/family', aFamily(id));
    for (const nextSemester of [1, 2]) {
      expect(await gatesOf(admin, id)).toEqual({
        family: { canProceed: false, redirectTo: 'academics', message: why },
        academics: { ...closed, canProceed: true, message: expect.any(String), nextSemester },
      });
      await admin.post('/api/students/academics', aSemester(id, nextSemester, []));
    }

    const recorded = {
      family: { canProceed: false, redirectTo: 'dashboard', message: why },
      academics: { ...closed, redirectToDashboard: true },
    };
    expect(await gatesOf(admin, id)).toEqual(recorded);

    await admin.put(`/api/students/${id}`, { ...student, current_sem: 3 });
    expect((await gatesOf(admin, id)).academics).toMatchObject({ canProceed: true, nextSemester: 3 });
    await admin.put(`/api/students/${id}`, { ...student, current_sem: 1 });
    expect(await gatesOf(admin, id)).toEqual(recorded);

    await admin.delete(`/api/students/${id}`);
    expect((await gatesOf(admin, id)).family.redirectTo).toBe('base');
  });
});
