import { sql } from 'kysely';
import { CourseGroups, type CoursePair, NO_EQUIVALENTS } from '../../../domain/schemes/equivalents.ts';
import { jsonArray, jsonRows } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';

type PairTuple = [course_id: number, other_id: number, degrees: string | null];

/** A pair of courses that count as one, and its batches; null for all. */
export interface EquivalentPair extends CoursePair {
  degrees: readonly string[] | null;
}

/** Courses that count as one, which may differ per batch. */
export class Equivalents {
  readonly #pairs: readonly EquivalentPair[];
  /** Of the batches that pairs name, once they have been asked for. All others have those of all batches. */
  readonly #groups = new Map<string, CourseGroups | undefined>();
  #ofAll: CourseGroups | undefined;

  constructor(pairs: readonly EquivalentPair[]) {
    this.#pairs = pairs;
    for (const { degrees } of pairs) for (const degree of degrees ?? []) this.#groups.set(degree, undefined);
  }

  /** Those that hold for a batch. */
  of(degree: string): CourseGroups {
    if (!this.#groups.has(degree)) return this.ofAll;
    const known = this.#groups.get(degree);
    if (known !== undefined) return known;
    const groups = this.#join(({ degrees }) => degrees === null || degrees.includes(degree));
    this.#groups.set(degree, groups);
    return groups;
  }

  /** Those that hold for all batches. */
  get ofAll(): CourseGroups {
    this.#ofAll ??= this.#join(({ degrees }) => degrees === null);
    return this.#ofAll;
  }

  /** All courses that have equivalents in some batch. */
  get courses(): readonly number[] {
    return [...new Set(this.#pairs.flatMap(({ course_id, other_id }) => [course_id, other_id]))];
  }

  #join(holds: (pair: EquivalentPair) => boolean): CourseGroups {
    const pairs = this.#pairs.filter(holds);
    return pairs.length === 0 ? NO_EQUIVALENTS : new CourseGroups(pairs);
  }
}

const NONE = '[]';
const NO_PAIRS = new Equivalents([]);

/** Every pair as JSON, for {@link parseEquivalents}: read with what depends on it, in one statement. */
export function equivalentsColumn(db: Db) {
  const pair = jsonArray(db, [sql.ref('e.course_id'), sql.ref('e.other_id'), sql.ref('e.degrees')]);
  return sql<string>`(select ${jsonRows(db, pair, sql`e.equivalent_id`)} from equivalents e)`;
}

/** Those that were read last: records are read one by one, and the pairs of all are the same. */
let latest = { json: NONE, equivalents: NO_PAIRS };

export function parseEquivalents(json: string): Equivalents {
  if (json !== latest.json) latest = { json, equivalents: toEquivalents(JSON.parse(json)) };
  return latest.equivalents;
}

const toEquivalents = (pairs: readonly PairTuple[]) =>
  new Equivalents(
    pairs.map(([course_id, other_id, degrees]) => ({
      course_id,
      other_id,
      degrees: degrees === null ? null : JSON.parse(degrees),
    })),
  );
