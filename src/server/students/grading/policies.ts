import { sql } from 'kysely';
import { z } from 'zod';
import { policyRules } from '../../../contract/grading/policies.ts';
import type { PolicyRules } from '../../../domain/grading/policy.ts';
import type { CourseGroups } from '../../../domain/schemes/equivalents.ts';
import { advisoryLock, sharedAdvisoryLock } from '../../db/dialect/locks.ts';
import { preparedQuery, preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db, PoliciesTable, Tx } from '../../db/schema.ts';
import { type Equivalents, equivalentsColumn, parseEquivalents } from './equivalents.ts';

/** The policy by which the figures of a student are computed. */
export interface AppliedPolicy {
  policy_id: number;
  rules: PolicyRules;
}

/** The policy that holds for a batch, with the courses that count as one there. */
export interface BatchPolicy extends AppliedPolicy {
  groups: CourseGroups;
}

const batches = z.array(z.string()).nullable();

export const parseDegrees = (row: Pick<PoliciesTable, 'degrees'>): string[] | null =>
  batches.parse(JSON.parse(row.degrees ?? 'null'));

/** Parsed rules by their JSON. There are as many as policies, and each save reads them. */
const parsedRules = new Map<string, PolicyRules>();
const MAX_PARSED_RULES = 100;

export function parseRules({ rules }: Pick<PoliciesTable, 'rules'>): PolicyRules {
  const known = parsedRules.get(rules);
  if (known !== undefined) return known;
  const parsed: PolicyRules = Object.freeze(policyRules.parse(JSON.parse(rules)));
  if (parsedRules.size === MAX_PARSED_RULES) parsedRules.clear();
  parsedRules.set(rules, parsed);
  return parsed;
}

/** All policies, of which each batch has the one with the highest number that applies to it. */
export class Policies {
  /** The highest number first. */
  readonly #all: readonly (AppliedPolicy & { degrees: readonly string[] | null; isPending: boolean })[];

  readonly equivalents: Equivalents;

  constructor(rows: readonly PoliciesTable[], equivalents: Equivalents) {
    this.equivalents = equivalents;
    this.#all = rows.map((row) => ({
      policy_id: row.policy_id,
      rules: parseRules(row),
      degrees: parseDegrees(row),
      isPending: row.applied_to !== null,
    }));
  }

  /** The policy that holds for a batch. */
  of(degree: string): BatchPolicy {
    const found = this.#all.find(({ degrees }) => degrees === null || degrees.includes(degree));
    if (found === undefined) throw new Error('Policy 1, which applies to every batch, is missing.');
    return { policy_id: found.policy_id, rules: found.rules, groups: this.equivalents.of(degree) };
  }

  byId(policyId: number): AppliedPolicy | undefined {
    return this.#all.find((policy) => policy.policy_id === policyId);
  }

  /** The highest number. */
  get highest(): number {
    return this.#all[0]?.policy_id ?? 0;
  }

  /** Whether the stored figures of some students are still those of another policy. */
  get isBeingApplied(): boolean {
    return this.#all.some(({ isPending }) => isPending);
  }
}

/** With the equivalents beside policy 1, which there always is: another statement would be another wait. */
const findPolicies = preparedQueryVariants<PoliciesTable & { equivalents: string | null }, object>(
  (db) => sql`
    select p.*, case when p.policy_id = 1 then ${equivalentsColumn(db)} end as equivalents
    from policies p order by p.policy_id desc`,
);

export async function loadPolicies(db: Db): Promise<Policies> {
  const rows = await findPolicies(db, {}, {});
  return new Policies(rows, parseEquivalents(rows.at(-1)?.equivalents ?? '[]'));
}

const findPolicy = preparedQuery<Pick<PoliciesTable, 'policy_id' | 'rules'>, [policyId: number]>(
  () => sql`select policy_id, rules from policies where policy_id = ${0}`,
);

/** The policy with this number. */
export async function loadPolicy(db: Db, policyId: number): Promise<AppliedPolicy> {
  const row = await findPolicy(db, policyId);
  if (row === undefined) throw new Error(`Policy ${policyId} is missing.`);
  return { policy_id: row.policy_id, rules: parseRules(row) };
}

const LOCK = 'policies';

/**
 * Keeps new policies out until the transaction ends, before a student is added to a batch: a policy that is being applied
 * would pass by a student that it can't see yet.
 */
export const lockPolicies = (tx: Tx) => sharedAdvisoryLock(tx, LOCK);

/** Waits for transactions that add students to batches, before a policy is added. */
export const lockBatches = (tx: Tx) => advisoryLock(tx, LOCK);
