import { AppError } from '../errors.ts';

/**
 * Versions of records as HTTP entity tags. A tag lists the parts of a reply with their versions: `"s4.f1.m1v3"` is a
 * student's base record, family and semester 1; `c` is a course, `t` a term, `i` the institution, `u` a user, `v` a saved
 * view; `p` is the policy of a student's averages, which no write compares. A write compares only its own
 * part, so a change of the family does not reject one of the base record.
 */
export const versionPart = {
  student: (version: number) => `s${version}`,
  family: (version: number) => `f${version}`,
  semester: (semester: number, version: number) => `m${semester}v${version}`,
  course: (version: number) => `c${version}`,
  term: (version: number) => `t${version}`,
  institution: (version: number) => `i${version}`,
  user: (version: number) => `u${version}`,
  view: (version: number) => `v${version}`,
  policy: (policyId: number) => `p${policyId}`,
} as const;

export const etag = (...parts: string[]) => `"${parts.join('.')}"`;

/**
 * Rejects a write that is based on an outdated version. Without the header, or with `*`, any version is accepted.
 *
 * @param currentPart the part that one of the tags must contain
 * @param current the current record, sent with the refusal
 * @throws AppError stale
 */
export function requireVersion(ifMatch: string | undefined, currentPart: string, current: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag ?? '');
  if (tags.some((tag) => tag.split('.').includes(currentPart))) return;
  throw new AppError('stale', 'Somebody else has changed this in the meantime.', { details: { current } });
}
