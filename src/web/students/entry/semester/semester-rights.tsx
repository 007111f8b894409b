import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ResultRights } from '../../../../contract/students/academics.ts';
import { ReasonField } from '../../../forms/reason-field.tsx';
import { useCurrentUser } from '../../../lib/session.ts';

export type SheetSlot = ResultRights['slots'][number];
type Sheet = Pick<SheetSlot, 'sheet_id' | 'title'>;

/** The rights of the user on a semester. */
export interface SemesterRights {
  /** The subjects that mark sheets wrote, by slot. */
  sheetBySlot: ReadonlyMap<number, SheetSlot>;
  /** The mark sheets that wrote to the semester, also to a deleted record of it. */
  sheets: readonly Sheet[];
  /** Why nothing, or no grade, is the user's to change; null if there is no reason. */
  text: string | null;
  /** Nothing of the semester is the user's to change. */
  isLocked: boolean;
  /** A change needs a reason, or one of a grade does. */
  needsReason: boolean;
}

/**
 * The rules of the server, said before it refuses.
 *
 * @param isElsewhere the semester is before the entry of the student
 */
export function useSemesterRights(
  rights: ResultRights,
  semester: number,
  { isElsewhere = false } = {},
): SemesterRights {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const slots = rights.slots.filter((one) => one.semester === semester);
  const sheetBySlot = new Map(slots.map((one) => [one.slot, one]));
  const unrecorded = rights?.unrecorded.filter((one) => one.semester === semester) ?? [];
  const sheets = [...new Map([...slots, ...unrecorded].map((one) => [one.sheet_id, one])).values()];
  const shared = { sheetBySlot, sheets, isLocked: false, needsReason: false };
  if (isElsewhere) {
    return {
      ...shared,
      isLocked: true,
      text: `Semester ${semester} is before the entry of this student, so it has no results.`,
    };
  }
  if (sheets.length > 0) {
    return {
      ...shared,
      isLocked: !isAdmin,
      needsReason: isAdmin,
      text: isAdmin
        ? `Semester ${semester} has results of mark sheets, which only a rectification changes. Its other subjects are changed with a reason.`
        : `Semester ${semester} has results of mark sheets. Only an administrator changes it, with a reason.`,
    };
  }
  if (rights.sheets_only) {
    return {
      ...shared,
      needsReason: isAdmin,
      text: `Grades of batch ${rights.degree} come from mark sheets. ${isAdmin ? 'What changes a grade here needs a reason.' : 'Only an administrator enters them here, with a reason.'}`,
    };
  }
  return { ...shared, text: null };
}

interface RightsNoticeProps {
  rights: SemesterRights;
  reason: string;
  error: string | undefined;
  onReason: (reason: string) => void;
}

/** Says what of a semester the user may not change, and asks for the reason where one is needed. */
export function RightsNotice({ rights, reason, error, onReason }: RightsNoticeProps) {
  if (rights.text === null) return null;
  const { sheets } = rights;
  return (
    <div className="mb-5 grid gap-3 rounded-panel border border-line bg-sunken px-4 py-3.5">
      <div className="flex gap-2.5">
        <Lock className="mt-0.5 size-4 shrink-0 text-fg-3" />
        <div className="min-w-0 text-pretty">
          <p>{rights.text}</p>
          {sheets.length > 0 && (
            <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-label">
              {sheets.map(({ sheet_id, title }) => (
                <li key={sheet_id}>
                  <Link
                    to="/marksheets/$sheetId/results"
                    params={{ sheetId: String(sheet_id) }}
                    className="link wrap-anywhere"
                  >
                    {`Mark sheet ${sheet_id}, ${title}`}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      {rights.needsReason && (
        <div className="max-w-3xl">
          <ReasonField value={reason} onChange={onReason} error={error} />
        </div>
      )}
    </div>
  );
}
