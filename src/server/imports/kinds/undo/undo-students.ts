import {
  type FamilyInput,
  familyReply,
  type StudentInput,
  studentReply,
} from '../../../../contract/students/students.ts';
import { fromFraction } from '../../../../domain/student.ts';
import type { Db } from '../../../db/schema.ts';
import { STUDENT_ENTITIES } from '../../../history/record-change.ts';
import { deleteWholeRecords } from '../../../students/bulk/apply.ts';
import type { CheckedUndo, ImportedRecord, Source } from '../kind.ts';
import { type StudentPlan, storeStudents } from '../store-students.ts';

type Entry = ImportedRecord['entries'][number];

/**
 * A student that the import created can be undone if no part of the record has been written since; one that it changed, if
 * base record and family are still as it left them.
 */
export async function checkStudentsUndo(
  source: Source,
  records: readonly ImportedRecord[],
): Promise<CheckedUndo> {
  const ids = records.map(({ id }) => id);
  const { db } = source;
  const rows = await source
    .lock(db.selectFrom('students').selectAll().where('id', 'in', ids).orderBy('id'))
    .execute();
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const families = await db.selectFrom('families').selectAll().where('student_id', 'in', ids).execute();
  const familyById = new Map(families.map((family) => [family.student_id, family]));
  const latest = await latestEntries(db, ids);
  const withResults = await findWithResults(db, ids);
  const created: string[] = [];
  const changed: StudentPlan[] = [];
  const kept: CheckedUndo['kept'] = [];
  for (const { id, entries } of records) {
    const row = rowById.get(id);
    const base = entries.find(({ entity }) => entity === 'student');
    const familyEntry = entries.find(({ entity }) => entity === 'family');
    const isCreated = base?.action === 'create';
    const reason =
      row === undefined
        ? 'Deleted since, or it has another ID.'
        : keptReason({ isCreated, entries, latest: latest.get(id), hasResults: withResults.has(id) });
    if (row === undefined || reason !== undefined) kept.push({ key: id, reason: reason ?? '' });
    else if (isCreated) created.push(id);
    else {
      changed.push({
        id,
        existing: { row, family: familyById.get(id) },
        base: base && earlierBase(base),
        family: familyEntry && earlierFamily(familyEntry),
        entry: entries.some(isEntry) ? null : undefined,
      });
    }
  }
  return {
    undone: [...created, ...changed.map(({ id }) => id)],
    kept,
    store: async (writer) => {
      const { tx, author, counts, results } = writer;
      if (created.length > 0)
        await deleteWholeRecords(tx, author, created, { counts, results, bulkId: writer.bulkId });
      await storeStudents(writer, changed);
    },
  };
}

/** Whether it is of a semester before a late entry: an import of students writes no other. */
const isEntry = ({ entity }: Entry) => entity === 'semester';

/** The base record before an import, as the form sends it. */
function earlierBase({ before }: Entry): StudentInput {
  const {
    status: _status,
    status_date: _date,
    status_reason: _reason,
    ...base
  } = studentReply.parse(JSON.parse(before ?? 'null'));
  return {
    ...base,
    fsc_marks: fromFraction(base.fsc_marks),
    matric_marks: fromFraction(base.matric_marks),
  };
}

const earlierFamily = ({ before }: Entry): FamilyInput | null =>
  before === null ? null : familyReply.parse(JSON.parse(before));

type Latest = ReadonlyMap<(typeof STUDENT_ENTITIES)[number], number>;

/** The latest entry of each part of the records. */
async function latestEntries(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Latest>> {
  const rows = await db
    .selectFrom('history')
    .select((eb) => ['entity', 'entity_id', eb.fn.max('id').as('id')])
    .where('entity', 'in', STUDENT_ENTITIES)
    .where('entity_id', 'in', ids)
    .groupBy(['entity', 'entity_id'])
    .execute();
  const latest = new Map<string, Map<(typeof STUDENT_ENTITIES)[number], number>>();
  for (const { entity, entity_id, id } of rows) {
    const own = latest.get(entity_id) ?? new Map();
    latest.set(entity_id, own.set(entity, Number(id)));
  }
  return latest;
}

async function findWithResults(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('semesters')
    .select('student_id')
    .distinct()
    .where('is_elsewhere', '=', 0)
    .where('student_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ student_id }) => student_id));
}

function keptReason({
  isCreated,
  entries,
  latest,
  hasResults,
}: {
  isCreated: boolean;
  entries: readonly Entry[];
  latest: Latest | undefined;
  hasResults: boolean;
}): string | undefined {
  const own = new Set(entries.map(({ id }) => id));
  const isChanged = STUDENT_ENTITIES.some((entity) => {
    const id = latest?.get(entity);
    const isPart = (isCreated && entity !== 'semester') || entries.some((entry) => entry.entity === entity);
    return isPart && id !== undefined && !own.has(id);
  });
  if (isChanged) return 'Changed since.';
  const createdFamily = entries.some(({ entity, action }) => entity === 'family' && action === 'create');
  return hasResults && (isCreated || createdFamily || entries.some(isEntry))
    ? 'Results have been entered since.'
    : undefined;
}
