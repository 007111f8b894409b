import type { LatestChange } from '../../contract/errors.ts';
import type { HistoryEntity } from '../../contract/history.ts';
import type { Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { listHistory } from '../history/list-history.ts';

/**
 * Versions of records as HTTP entity tags. A tag lists the parts of a reply with their versions: `"s4.f1.m1v3"` is a
 * student's base record, family and semester 1; `c` is a course, `t` a term, `i` the institution, `u` a user, `v` a saved
 * view; `g` is a mark sheet, `n` an opening, `b` a hold; `h` is a scheme of studies and `o` a course from elsewhere; `x` an exception and `e` a pair of courses,
 * which are never changed; `p` is the policy of a student's averages, which no write compares. A write compares only its own part,
 * so a change of the family does not reject one of the base record.
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
  sheet: (version: number) => `g${version}`,
  policy: (policyId: number) => `p${policyId}`,
  scheme: (version: number) => `h${version}`,
  outsideCredit: (version: number) => `o${version}`,
  exception: (exceptionId: number) => `x${exceptionId}`,
  opening: (version: number) => `n${version}`,
  hold: (version: number) => `b${version}`,
  equivalent: (equivalentId: number) => `e${equivalentId}`,
} as const;

export const etag = (...parts: string[]) => `"${parts.join('.')}"`;

/** Suffixes that proxies add to a tag when they compress: `-gzip` (Apache), `--gzip` (Jetty), `;gzip` and the like. */
const CODING_SUFFIX = /(?:(?:--?|;)(?:gzip|br|zstd|deflate))+$/;

/**
 * The tags of an `If-Match` or `If-None-Match`, without quotes and without what proxies add to them: `W/` in front, a content
 * coding at the end. Undefined for `*`, which is any tag.
 */
function readTags(header: string): string[] | undefined {
  if (header.trim() === '*') return undefined;
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag.replace(CODING_SUFFIX, ''));
}

/** Whether a client that sends this `If-None-Match` has the content of a tag. */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = readTags(ifNoneMatch);
  return tags === undefined || (readTags(etag) ?? []).some((tag) => tags.includes(tag));
}

/** A record that a write is about to change. */
interface StoredRecord {
  /** The part that one of the tags must contain. */
  part: string;
  /** A function where reading it takes more than the row that is locked. */
  current: object | (() => Promise<object>);
  /** The entities of its history entries. */
  entities: readonly HistoryEntity[];
  id: string | number;
  /** For results: those of one semester, while the history is kept per student. */
  semester?: number;
}

/**
 * Rejects a write that is based on an outdated version. Without the header, or with `*`, any version is accepted.
 *
 * @throws AppError stale, with the current record and with who changed it last and when
 */
export async function requireVersion(
  tx: Tx,
  ifMatch: string | undefined,
  { part, current, ...record }: StoredRecord,
): Promise<void> {
  const tags = ifMatch === undefined ? undefined : readTags(ifMatch);
  if (tags === undefined || tags.some((tag) => tag.split('.').includes(part))) return;
  throw new AppError('stale', 'Another user changed this record while you were editing.', {
    details: {
      current: typeof current === 'function' ? await current() : current,
      ...(await latestChange(tx, record)),
    },
  });
}

/** The author of the latest change of a record, and when. Null if the history does not say, such as under another ID. */
export async function latestChange(
  tx: Tx,
  { entities, id, semester }: Pick<StoredRecord, 'entities' | 'id' | 'semester'>,
): Promise<LatestChange> {
  const { entries } = await listHistory(
    tx,
    { entities, entityId: String(id) },
    { limit: semester === undefined ? 1 : undefined },
  );
  const latest = entries.find((entry) => semester === undefined || entry.semester === semester);
  return { changed_by: latest?.user.name ?? null, changed_at: latest?.at ?? null };
}
