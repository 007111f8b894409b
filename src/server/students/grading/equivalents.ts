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
  readonly #groups = new Map<string, CourseGroups>();

  constructor(pairs: readonly EquivalentPair[]) {
    this.#pairs = pairs;
  }

  /** Those that hold for a batch. */
  of(degree: string): CourseGroups {
    if (this.#pairs.length === 0) return NO_EQUIVALENTS;
    const known = this.#groups.get(degree);
    if (known !== undefined) return known;
    const groups = new CourseGroups(
      this.#pairs.filter(({ degrees }) => degrees === null || degrees.includes(degree)),
    );
    this.#groups.set(degree, groups);
    return groups;
  }

  /** All courses that have equivalents in some batch. */
  get courses(): readonly number[] {
    return [...new Set(this.#pairs.flatMap(({ course_id, other_id }) => [course_id, other_id]))];
  }

  /** Those that hold for all batches. */
  get ofAll(): CourseGroups {
    return new CourseGroups(this.#pairs.filter(({ degrees }) => degrees === null));
  }
}

const NONE = '[]';
const NO_PAIRS = new Equivalents([]);

/** Every pair as JSON, for {@link parseEquivalents}: read with what depends on it, in one statement. */
export function equivalentsColumn(db: Db) {
  const pair = jsonArray(db, [sql.ref('e.course_id'), sql.ref('e.other_id'), sql.ref('e.degrees')]);
  return sql<string>`(select ${jsonRows(db, pair, sql`e.equivalent_id`)} from equivalents e)`;
}

export function parseEquivalents(json: string): Equivalents {
  if (json === NONE) return NO_PAIRS;
  const pairs: PairTuple[] = JSON.parse(json);
  return new Equivalents(
    pairs.map(([course_id, other_id, degrees]) => ({
      course_id,
      other_id,
      degrees: degrees === null ? null : JSON.parse(degrees),
    })),
  );
}
