/** A tab of a student; its route is a child of `record` in the router. */
export interface RecordTab {
  /** The end of its address; empty for the record itself. */
  path: '' | `/${string}`;
  name: string;
  /** Missing for users who may only read. */
  isForWriters?: true;
}

/** The tabs of a student, in their order. The keys 1 to 9 open them. */
export const RECORD_TABS: readonly RecordTab[] = [
  { path: '', name: 'Record' },
  { path: '/scheme', name: 'Scheme' },
  { path: '/terms', name: 'Terms' },
  { path: '/holds', name: 'Holds' },
  { path: '/documents', name: 'Documents', isForWriters: true },
  { path: '/history', name: 'History', isForWriters: true },
];

/** The tab that an address shows; undefined for other pages of the student. */
export function findRecordTab(pathname: string): RecordTab | undefined {
  const [, end] = /^\/students\/[^/]+(\/.*?)?\/?$/.exec(pathname) ?? [];
  return RECORD_TABS.find(({ path }) => path === (end ?? ''));
}
