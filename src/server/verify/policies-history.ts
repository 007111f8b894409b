import { policyRules } from '../../contract/grading/policies.ts';
import { DEFAULT_RULES } from '../../domain/grading/policy.ts';
import type { Db, PoliciesTable } from '../db/schema.ts';
import type { Entry } from '../history/chain.ts';
import { parseState } from '../history/fields.ts';
import { parseDegrees, parseRules } from '../students/grading/policies.ts';
import { findDifferingFields, isWrittenBy } from './history-entries.ts';

/** Finds grading policies and notifications of results that differ from the history, or are missing. */
export async function* policiesWithoutHistory(db: Db): AsyncGenerator<string> {
  const policies = await db.selectFrom('policies').selectAll().orderBy('policy_id').execute();
  yield* compare(await findCreations(db, 'policy'), {
    name: (id) => `Policy ${id}`,
    rows: new Map(policies.map((row) => [String(row.policy_id), row])),
    differingFields: comparePolicy,
    // Made with the table, without an entry.
    first: '1',
  });
  const notifications = await db.selectFrom('result_notifications').selectAll().orderBy('number').execute();
  yield* compare(await findCreations(db, 'result-notification'), {
    name: (id) => `Result notification ${id}`,
    rows: new Map(notifications.map((row) => [String(row.number), row])),
    differingFields: (row, entry) => {
      const { department, degree, semester, term_id: term, students } = row;
      return [
        ...findDifferingFields(parseState(entry?.after ?? null), {
          class: `${department}-${degree}`,
          semester,
          term,
          students,
        }),
        ...(entry !== undefined && isWrittenBy(entry, row, row.notified_at)
          ? []
          : ['notified_by, notified_at']),
      ];
    },
  });
}

/** Entries of records that are only ever made. There are few, so all are read at once. */
async function findCreations(db: Db, entity: 'policy' | 'result-notification'): Promise<Map<string, Entry>> {
  const entries = await db
    .selectFrom('history')
    .selectAll()
    .where('entity', '=', entity)
    .where('action', '=', 'create')
    .orderBy('id')
    .execute();
  return new Map(entries.map((entry) => [entry.entity_id, entry]));
}

function* compare<Row>(
  entries: Map<string, Entry>,
  {
    name,
    rows,
    differingFields,
    first,
  }: {
    name: (id: string) => string;
    rows: ReadonlyMap<string, Row>;
    differingFields: (row: Row, entry: Entry | undefined) => string[];
    /** The one that needs no entry. */
    first?: string;
  },
): Generator<string> {
  for (const [id, row] of rows) {
    const entry = entries.get(id);
    if (entry === undefined && id !== first) {
      yield `${name(id)}: the history has no entry for its creation.`;
      continue;
    }
    const fields = differingFields(row, entry);
    if (fields.length > 0) yield `${name(id)}: ${fields.join(', ')} differ from the history.`;
  }
  for (const id of entries.keys()) if (!rows.has(id)) yield `${name(id)}: is missing.`;
}

/** A rule that an earlier version did not know has its default on both sides. */
function comparePolicy(row: PoliciesTable, entry: Entry | undefined): string[] {
  const { name, user_id, user_name, created_at } = row;
  const record = { name, batches: parseDegrees(row) ?? 'all', ...parseRules(row) };
  if (entry === undefined) {
    return findDifferingFields({ name: 'As specified', batches: 'all', ...DEFAULT_RULES }, record);
  }
  const { name: entered, batches, ...rules } = parseState(entry.after);
  return [
    ...findDifferingFields({ name: entered, batches, ...policyRules.parse(rules) }, record),
    ...(isWrittenBy(entry, { user_id, user_name }, created_at) ? [] : ['created_by, created_at']),
  ];
}
