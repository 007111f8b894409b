import { calendarDate } from '../../domain/age.ts';
import type { HoldBlock, HoldKind } from '../../domain/holds.ts';
import type { Tx } from '../db/schema.ts';
import type { Author } from '../history/record-change.ts';
import { placeHold, releaseHold } from '../students/holds/write-holds.ts';

const DAY_MS = 24 * 60 * 60_000;

interface InventedHold {
  kind: HoldKind;
  reason: string;
  blocks: HoldBlock[];
  /** Days before today, and days from today on. */
  since: number;
  ends?: number;
  by: string;
  isReleased?: boolean;
}

/** None blocks registration, so that the mark sheets of whole classes can be tried out. */
const HOLDS: readonly InventedHold[] = [
  {
    ...{ kind: 'fees', reason: 'Dues of this semester are open.', since: 26, by: 'Accounts' },
    blocks: ['official-documents', 'certificate'],
  },
  {
    ...{
      kind: 'fees',
      reason: 'Dues of the last semester are open, letter sent.',
      since: 26,
      by: 'Accounts',
    },
    blocks: ['official-documents', 'certificate'],
  },
  {
    ...{ kind: 'library', reason: 'Three books are not returned.', since: 40, ends: 10, by: 'Library desk' },
    blocks: ['certificate'],
  },
  {
    ...{ kind: 'documents', reason: 'HSSC certificate not seen in original.', since: 90, by: 'Admissions' },
    blocks: ['official-documents'],
  },
  {
    ...{
      kind: 'library',
      reason: 'Two books are not returned.',
      since: 60,
      by: 'Library desk',
      isReleased: true,
    },
    blocks: ['official-documents', 'certificate'],
  },
];

/** Puts holds on a few students in the middle of their studies. */
export async function seedHolds(tx: Tx, author: Author): Promise<void> {
  const students = await tx
    .selectFrom('students')
    .select('id')
    .where('status', '=', 'active')
    .where('current_sem', 'in', [3, 4, 5, 6])
    .where('is_complete', '=', 1)
    .orderBy('id', 'desc')
    .execute();
  const day = (offset: number) => calendarDate(new Date(Date.now() + offset * DAY_MS));
  for (const [i, { kind, reason, blocks, since, ends, by, isReleased }] of HOLDS.entries()) {
    const student = students[Math.floor((students.length * (2 * i + 1)) / (2 * HOLDS.length))];
    if (student === undefined) return;
    const until = ends === undefined ? null : day(ends);
    const { hold_id } = await placeHold(tx, { id: null, name: by }, student.id, {
      ...{ kind, reason, blocks, from: day(-since), until },
    });
    if (isReleased)
      await releaseHold(tx, author, { holdId: hold_id, reason: 'The books are back.' }, undefined);
  }
}
