import { describe, expect } from 'vitest';
import { aClass, aSheetFor, createSheet } from '../../../tests/support/app/mark-sheets.ts';
import { getFieldErrors, sharedApps } from '../../../tests/support/app/test-app.ts';
import { holdTransaction, waitUntilBlocked } from '../../../tests/support/database/open-transaction.ts';
import { unique } from '../../../tests/support/records.ts';
import { sheetSavedReply } from '../../contract/marksheets/sheets.ts';
import { changeId } from '../students/change-id/change-id.ts';
import { deleteTerm } from '../terms/terms.ts';

describe.each(sharedApps())('a mark sheet, on $name', ({ test }) => {
  test('gets no row under an ID that is being changed', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const other = await createSheet(staff, await aClass({ app, admin }, 0));
    const [id = ''] = own.ids;
    const release = await holdTransaction(app.db.write, (tx) =>
      changeId(tx, admin.user, { id, newId: unique() }, undefined),
    );
    const adding = staff.post(`/api/sheets/${other.sheet_id}/students`, { ids: [id] });
    const creating = staff.post('/api/sheets', aSheetFor(own));
    await waitUntilBlocked(app.db.read, 2);
    await release();
    expect(getFieldErrors(await adding)).toEqual({ ids: [`There is no student with ID ${id}.`] });
    const { sheet } = sheetSavedReply.parse((await creating).body);
    expect(sheet.rows.map(({ student_id }) => student_id)).not.toContain(id);
  });

  test('is refused for a term that is being deleted', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const release = await holdTransaction(app.db.write, (tx) =>
      deleteTerm(tx, admin.user, own.term_id, undefined),
    );
    const creating = staff.post('/api/sheets', aSheetFor(own));
    await waitUntilBlocked(app.db.read);
    await release();
    expect(getFieldErrors(await creating)).toEqual({
      term_id: ['The term id must be that of an existing term.'],
    });
  });
});
