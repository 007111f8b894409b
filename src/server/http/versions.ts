import { AppError } from '../errors.ts';

/**
 * Versions of records as HTTP entity tags. A tag lists the parts of the answer with their versions, `"s4.f1.m1v3"`:
 * the student's base record, the family, semester 1; `c` a course, `u` a user, `v` a saved view. A write compares its own part alone,
 * so that a change of the family does not refuse one of the base record.
 */
export const versionPart = {
  student: (version: number) => `s${version}`,
  family: (version: number) => `f${version}`,
  semester: (semester: number, version: number) => `m${semester}v${version}`,
  course: (version: number) => `c${version}`,
  user: (version: number) => `u${version}`,
  view: (version: number) => `v${version}`,
} as const;

export const etag = (...parts: string[]) => `"${parts.join('.')}"`;

/**
 * Refuses a write that was based on another version than the current one. Without the header, or with `*`, any
 * version will do.
 *
 * @param currentPart what the tag must hold for the write to go on
 * @param current the record as it is now, answered with the refusal
 * @throws AppError stale
 */
export function requireVersion(ifMatch: string | undefined, currentPart: string, current: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag ?? '');
  if (tags.some((tag) => tag.split('.').includes(currentPart))) return;
  throw new AppError('stale', 'Somebody else has changed this in the meantime.', { details: { current } });
}
