import type { Db } from '../db/schema.ts';
import { parseState, type RecordState } from '../history/fields.ts';
import { getInstitution, INSTITUTION_ID } from '../institution/institution.ts';
import { toEquivalentState } from '../schemes/equivalents.ts';
import { toSchemeState } from '../schemes/present-scheme.ts';
import { listTerms } from '../terms/terms.ts';
import { findDifferingFields } from './history-entries.ts';

/** Finds terms, schemes, pairs of courses and details of the institution that differ from the history. */
export async function* settingsWithoutHistory(db: Db): AsyncGenerator<string> {
  const terms = await listTerms(db);
  yield* differences(await findRecordedStates(db, 'term'), {
    name: (id) => `Term ${id}`,
    records: new Map(terms.map((term) => [String(term.term_id), term])),
  });
  const schemes = await db.selectFrom('schemes').selectAll().orderBy('scheme_id').execute();
  yield* differences(await findRecordedStates(db, 'scheme'), {
    name: (id) => `Scheme ${id}`,
    records: new Map(schemes.map((row) => [String(row.scheme_id), toSchemeState(row)])),
  });
  const equivalents = await db.selectFrom('equivalents').selectAll().orderBy('equivalent_id').execute();
  yield* differences(await findRecordedStates(db, 'equivalent'), {
    name: (id) => `Equivalent ${id}`,
    records: new Map(equivalents.map((row) => [String(row.equivalent_id), toEquivalentState(row)])),
  });
  const institution = await getInstitution(db);
  yield* differences(await findRecordedStates(db, 'institution'), {
    name: () => 'Institution',
    records: new Map(institution.version === 0 ? [] : [[String(INSTITUTION_ID), institution]]),
  });
}

type RecordedStates = ReadonlyMap<string, RecordState | 'deleted'>;

/** The state of each record according to its last history entry. There are few of these records, so all are read at once. */
async function findRecordedStates(
  db: Db,
  entity: 'term' | 'institution' | 'scheme' | 'equivalent',
): Promise<RecordedStates> {
  const entries = await db
    .selectFrom('history')
    .select(['action', 'entity_id', 'after'])
    .where('entity', '=', entity)
    .orderBy('id')
    .execute();
  return new Map(
    entries.map(({ action, entity_id, after }) => [
      entity_id,
      action === 'delete' ? 'deleted' : parseState(after),
    ]),
  );
}

function* differences(
  states: RecordedStates,
  { name, records }: { name: (id: string) => string; records: ReadonlyMap<string, object> },
): Generator<string> {
  for (const [id, record] of records) {
    const state = states.get(id);
    if (state === undefined) {
      yield `${name(id)}: the history has no entry for its creation.`;
    } else if (state === 'deleted') {
      yield `${name(id)}: exists, although the history has an entry for its deletion.`;
    } else {
      const fields = findDifferingFields(state, record);
      if (fields.length > 0) yield `${name(id)}: ${fields.join(', ')} differ from the history.`;
    }
  }
  for (const [id, state] of states) {
    if (state !== 'deleted' && !records.has(id))
      yield `${name(id)}: is missing, and the history has no entry for its deletion.`;
  }
}
