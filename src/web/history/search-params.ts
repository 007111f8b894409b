import type { HistoryAction, HistoryEntity } from '../../contract/history.ts';
import { searchParamsParser, trimmedText, wholeNumber } from '../lib/navigation/parse-search-params.ts';

interface Kind {
  label: string;
  entity: HistoryEntity;
  action?: HistoryAction;
}

/** The kinds of records that the history can be filtered by. */
export const HISTORY_KINDS = {
  students: { label: 'Students', entity: 'student' },
  'deleted-students': { label: 'Deleted students', entity: 'student', action: 'delete' },
  families: { label: 'Families', entity: 'family' },
  results: { label: 'Results', entity: 'semester' },
  courses: { label: 'Courses', entity: 'course' },
  'deleted-courses': { label: 'Deleted courses', entity: 'course', action: 'delete' },
  marks: { label: 'Marks of courses', entity: 'marks' },
  terms: { label: 'Terms', entity: 'term' },
  institution: { label: 'Institution', entity: 'institution' },
  'mark-sheets': { label: 'Mark sheets', entity: 'sheet' },
  'result-notifications': { label: 'Result notifications', entity: 'result-notification' },
  policies: { label: 'Grading policies', entity: 'policy' },
  schemes: { label: 'Schemes', entity: 'scheme' },
  openings: { label: 'Openings of terms', entity: 'opening' },
  equivalents: { label: 'Equivalent courses', entity: 'equivalent' },
  exceptions: { label: 'Exceptions to schemes', entity: 'exception' },
  'outside-credits': { label: 'Credits from elsewhere', entity: 'outside-credit' },
  holds: { label: 'Holds', entity: 'hold' },
  accounts: { label: 'Accounts', entity: 'user' },
  views: { label: 'Saved views', entity: 'view' },
  documents: { label: 'Documents', entity: 'document' },
  exports: { label: 'Exports', entity: 'export' },
  lists: { label: 'Student list opened', entity: 'list' },
} as const satisfies Record<string, Kind>;
type HistoryKind = keyof typeof HISTORY_KINDS;

/** The search parameters of the history. Absent means all. */
export interface HistorySearchParams {
  kind?: HistoryKind;
  /** ID or name of a student. */
  student?: string;
  /** ID of the user who made the change. */
  user?: string;
  /** Days in the browser's time zone. */
  from?: string;
  to?: string;
}

const isKind = (value: unknown): value is HistoryKind =>
  typeof value === 'string' && Object.hasOwn(HISTORY_KINDS, value);

const day = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Characters of the search for a student. */
export const MAX_STUDENT_TEXT = 100;

export const parseHistorySearchParams = searchParamsParser<HistorySearchParams>({
  kind: (value) => (isKind(value) ? value : undefined),
  student: trimmedText(MAX_STUDENT_TEXT),
  user: wholeNumber(999_999_999),
  from: day,
  to: day,
});

/** The parameters of the API call: days become timestamps, since the server may be in another time zone. */
export function toHistoryQuery({
  kind,
  student,
  user,
  from,
  to,
}: HistorySearchParams): Record<string, string> {
  const { entity, action }: Partial<Kind> = kind === undefined ? {} : HISTORY_KINDS[kind];
  return {
    ...(entity && { entity }),
    ...(action && { action }),
    ...(student && { student }),
    ...(user && { user }),
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}
