import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import { sharedApps } from '../../../tests/support/app/test-app.ts';
import { aStudent, unique } from '../../../tests/support/records.ts';
import type { Db } from '../db/schema.ts';
import { incorrectSheets } from './sheets.ts';

async function collectFaults(db: Db): Promise<string[]> {
  const faults: string[] = [];
  for await (const fault of incorrectSheets(db)) faults.push(fault);
  return faults;
}

describe.each(sharedApps())('the check of mark sheets, on $name', ({ test }) => {
  test('takes a confirmed sheet for unchanged after its students got other IDs and were deleted', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 3);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [88, 71, 45]);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const [first = '', second = ''] = own.ids;
    const changeId = async (id: string, newId: string) => {
      const { status, text } = await admin.put(`/api/students/${id}/id`, { id: newId });
      expect(status, text).toBe(200);
    };
    const [other, last] = [unique(), unique()];
    await changeId(first, other);
    await changeId(other, last);
    expect((await admin.delete(`/api/students/${last}`)).status).toBe(200);
    // Nobody has had this ID any more since that student was deleted.
    await changeId(second, first);
    expect((await admin.delete(`/api/students/${first}`)).status).toBe(200);
    expect(await collectFaults(app.db.read)).toEqual([]);

    await app.db.write
      .updateTable('sheet_rows')
      .set({ status: 'withdrawn' })
      .where('student_id', '=', last)
      .execute();
    expect(await collectFaults(app.db.read)).toContain(
      `Mark sheet ${sheet.sheet_id}: has been changed since it was confirmed.`,
    );
  });

  test('finds rows of a confirmed sheet that are in no record, and rows that are recorded though they were left', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [88, 71]);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const [first = '', second = ''] = own.ids;
    // Another student with this ID has nothing of the sheet.
    expect((await admin.delete(`/api/students/${first}`)).status).toBe(200);
    const other = aStudent({ id: first, degree: own.degree, department: 'CE', current_sem: 1 });
    expect((await admin.post('/api/students', other)).status).toBe(201);
    await app.db.write
      .updateTable('sheet_rows')
      .set({ is_left: 1 })
      .where('student_id', '=', second)
      .execute();
    expect(await collectFaults(app.db.read)).toEqual(
      expect.arrayContaining([
        `Mark sheet ${sheet.sheet_id}, student ${first}: the result is not in the record.`,
        `Mark sheet ${sheet.sheet_id}, student ${second}: the result is in the record, though the row was left.`,
      ]),
    );
  });
});
