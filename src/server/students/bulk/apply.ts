import type { BulkInput, BulkReply } from '../../../contract/bulk.ts';
import { holdKey, locked } from '../../db/dialect.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, invalid } from '../../errors.ts';
import type { Author } from '../../history/record-change.ts';
import type { Created } from '../../http/idempotency.ts';
import { type Change, changeOf, doneText } from './change.ts';
import { deleteStudents } from './delete-students.ts';
import { moveStudents } from './move-students.ts';
import { seenStudents, survey } from './survey.ts';

/** Changes of many students follow one another, so that no two of them wait for each other's students. */
export const holdBulk = (tx: Tx) => holdKey(tx, 'bulk change');

/**
 * Does to all students that are meant what the preview has said, or to none.
 *
 * @throws AppError stale, with what the change would do now, when the preview was of other students or versions
 */
export async function applyBulk(tx: Tx, author: Author, input: BulkInput): Promise<Created> {
  await holdBulk(tx);
  const change = changeOf(input);
  const { preview, changing } = await survey(tx, input, change, (ids) =>
    locked(tx, seenStudents(tx, ids)).execute(),
  );
  if (preview.fingerprint !== input.fingerprint) {
    throw new AppError(
      'stale',
      'Some of these students have been changed in the meantime. Look at the preview again.',
      {
        details: { current: preview },
      },
    );
  }
  if (changing.length === 0) throw invalid('action', 'None of these students would change.');
  const bulkId = await storeBulk(tx, author, change, changing.length);
  if (change.action === 'delete') await deleteStudents(tx, author, changing, bulkId);
  else await moveStudents(tx, author, changing, change, bulkId);
  const reply: BulkReply = {
    message: doneText(change, changing.length),
    change: { id: bulkId, action: change.action, students: changing.length },
  };
  return { etag: `"b${bulkId}"`, reply };
}

async function storeBulk(tx: Tx, author: Author, { action }: Change, students: number): Promise<number> {
  const { id } = await tx
    .insertInto('bulk_changes')
    .values({ at: new Date().toISOString(), user_id: author.id, action, students })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
