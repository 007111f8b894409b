import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  getSheet,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import { sharedApps } from '../../../tests/support/app/test-app.ts';
import { confirmPreview, differenceReply } from '../../contract/marksheets/confirmation.ts';
import { checksReply, proposeReply } from '../../contract/marksheets/grading.ts';
import { cellsReply, sheetSavedReply } from '../../contract/marksheets/sheets.ts';
import { studentPageReply } from '../../contract/students/student-list.ts';
import { readAwardList } from '../documents/classes/award-list.ts';
import { computeChecksum } from './confirmation/confirm.ts';
import { planConfirmation } from './confirmation/preview.ts';
import { requireSheet } from './sheet.ts';

/** IDs in the order that is wanted. As plain texts they have another one. */
const ENDS = ['1', '2', '9', '10', '11', '100'];

const idOf = ({ student_id }: { student_id: string }) => student_id;

describe.each(sharedApps())('the rows of a mark sheet, on $name', ({ test }) => {
  test('are in the order of the list of students wherever they are read', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, ENDS.toReversed());
    const ids = ENDS.map((end) => `${own.degree}-${end}`);
    const list = studentPageReply.parse(
      (await staff.get(`/api/students?sort=id&direction=ascending&degree=${own.degree}`)).body,
    );
    expect(list.students.map(({ id }) => id)).toEqual(ids);

    const created = await createSheet(staff, own);
    const path = `/api/sheets/${created.sheet_id}`;
    expect(created.rows.map(idOf)).toEqual(ids);
    const [component_id] = created.categories.flatMap(({ components }) =>
      components.map((component) => component.component_id),
    );
    const cells = own.ids.map((student_id) => ({ student_id, component_id, value: 85, was: null }));
    const stored = cellsReply.parse((await staff.put(`${path}/cells`, { cells })).body);
    expect(stored.rows.map(idOf)).toEqual(ids);
    expect((await getSheet(staff, created.sheet_id)).rows.map(idOf)).toEqual(ids);

    // Half a mark short of an A.
    const scheme = { method: 'absolute', params: { boundaries: [85.5, 80, 75, 70, 65, 60, 50] } };
    const proposal = proposeReply.parse((await staff.post(`${path}/boundaries/propose`, scheme)).body);
    expect(proposal.borderline.map(idOf)).toEqual(ids);
    const awards = await readAwardList(app.db.read, created.sheet_id);
    expect(awards.students.map(({ id }) => id)).toEqual(ids);

    await submitSheet(staff, created);
    const preview = confirmPreview.parse((await admin.get(`${path}/confirm`)).body);
    expect(preview.writes.map(idOf)).toEqual(ids);
    const { checksum } = await confirmSheet(admin, created);
    const sheet = await requireSheet(app.db.read, created.sheet_id);
    const plan = await planConfirmation(app.db.read, sheet);
    expect(computeChecksum(sheet, plan)).toBe(checksum);
    expect(computeChecksum(sheet, { ...plan, rows: plan.rows.toReversed() })).toBe(checksum);

    const rectified = await admin.post(`${path}/rectify`, { kind: 'totalling', reason: 'Added up again' });
    const { sheet: draft } = sheetSavedReply.parse(rectified.body);
    expect(draft.rows.map(idOf)).toEqual(ids);
    const later = draft.rows.map(({ student_id }) => ({ student_id, component_id, value: 90, was: 85 }));
    expect((await staff.put(`/api/sheets/${draft.sheet_id}/cells`, { cells: later })).status).toBe(200);
    const difference = async () =>
      differenceReply.parse((await staff.get(`/api/sheets/${draft.sheet_id}/difference`)).body).map(idOf);
    expect(await difference()).toEqual(ids);
    await submitSheet(staff, draft);
    await confirmSheet(admin, draft);
    expect(await difference()).toEqual(ids);
  });

  test('are in that order where checks name them', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, ENDS.toReversed());
    const ids = ENDS.map((end) => `${own.degree}-${end}`);
    const created = await createSheet(staff, own);
    const path = `/api/sheets/${created.sheet_id}`;
    const read = async () => checksReply.parse((await staff.get(`${path}/checks`)).body);
    const named = (checks: Awaited<ReturnType<typeof read>>, rule: string) =>
      [...checks.refusals, ...checks.warnings].find((check) => check.rule === rule)?.student_ids;
    expect(named(await read(), 'empty-cells')).toEqual(ids);
    await fillSheet(staff, created, [70, 70, 70, 70, 70, 70]);
    for (const id of [ids[1], ids[3]])
      expect((await staff.delete(`${path}/students/${id}`)).status).toBe(200);
    expect(named(await read(), 'class-list')).toEqual([ids[1], ids[3]]);
  });
});
