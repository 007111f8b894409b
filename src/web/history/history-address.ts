import type { HistoryAction, HistoryEntity } from '../../contract/history.ts';

interface Kind {
  label: string;
  entity: HistoryEntity;
  action?: HistoryAction;
}

/** What the history of everything can be narrowed down to. */
export const KINDS = {
  students: { label: 'Students', entity: 'student' },
  'deleted-students': { label: 'Deleted students', entity: 'student', action: 'delete' },
  families: { label: 'Families', entity: 'family' },
  results: { label: 'Results', entity: 'semester' },
  courses: { label: 'Courses', entity: 'course' },
  'deleted-courses': { label: 'Deleted courses', entity: 'course', action: 'delete' },
  marks: { label: 'Marks of courses', entity: 'marks' },
  accounts: { label: 'Accounts', entity: 'user' },
  views: { label: 'Saved views', entity: 'view' },
  exports: { label: 'Exports', entity: 'export' },
  lists: { label: 'Lists read out', entity: 'list' },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** What the address says beside its path. Absent is everything. */
export interface HistoryAddress {
  kind?: KindName;
  /** Number of the person who made the change. */
  user?: string;
  /** Days as the person who looks counts them. */
  from?: string;
  to?: string;
}

const isKind = (value: unknown): value is KindName =>
  typeof value === 'string' && Object.hasOwn(KINDS, value);

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads an address that anybody may have typed: what means nothing here is as if it were not there. */
export function readHistoryAddress(search: Readonly<Record<string, unknown>>): HistoryAddress {
  const { kind, user, from, to } = search;
  return {
    ...(isKind(kind) && { kind }),
    ...(typeof user === 'string' && /^[1-9]\d{0,8}$/.test(user) && { user }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

/** The parameters of the call: days become moments, since the server counts days elsewhere. */
export function historyParameters({ kind, user, from, to }: HistoryAddress): Record<string, string> {
  const { entity, action }: Partial<Kind> = kind === undefined ? {} : KINDS[kind];
  return {
    ...(entity && { entity }),
    ...(action && { action }),
    ...(user && { user }),
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}
