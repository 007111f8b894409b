import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { academicReply } from '../../../contract/students/academics.ts';
import type { Db } from '../../db/schema.ts';
import { type Subject, toSubjects } from '../../students/semester-slots.ts';
import {
  loadResults,
  type ResultPlan,
  type StudentResults,
  storeResults,
} from '../../students/semesters/store-results.ts';
import type { CheckedUndo, ImportedRecord, Source } from './kind.ts';

/** What an import made of one semester. */
interface ImportedSemester {
  semester: number;
  /** Undefined where the import created it. */
  before: Subject[] | undefined;
  after: Subject[];
}

/**
 * A semester can be undone if it has not been written since, and one that the import created only if no later semester stays.
 */
export async function checkResultsUndo(
  source: Source,
  records: readonly ImportedRecord[],
): Promise<CheckedUndo> {
  const results = await loadResults(
    source,
    records.map(({ id }) => id),
  );
  const later = await findLaterEntries(source.db, records);
  const submitted = await findSubmittedResults(source.db, records);
  let refused: string | undefined;
  const plans: ResultPlan[] = [];
  const undone: string[] = [];
  const kept: CheckedUndo['kept'] = [];
  for (const { id, entries } of records) {
    const now = results.get(id);
    const imported = entries
      .flatMap((entry) => (entry.entity === 'semester' ? readEntry(entry) : []))
      .toSorted((a, b) => b.semester - a.semester);
    const semesters = now?.recorded.map(({ subjects }) => subjects) ?? [];
    for (const one of imported) {
      const keys = toSlotKeys(id, one);
      refused ??= findRefusal(one, now, submitted);
      const reason =
        now === undefined
          ? 'The student has been deleted since, or has another ID.'
          : keptReason(one, semesters.length, later.has(toSemesterKey(id, one.semester)));
      if (reason !== undefined) {
        kept.push(...keys.map((key) => ({ key, reason })));
        continue;
      }
      undone.push(...keys);
      if (one.before === undefined) semesters.pop();
      else semesters[one.semester - 1] = one.before;
    }
    if (now !== undefined) plans.push({ ...now, semesters });
  }
  return { undone, kept, refused, store: (writer) => storeResults(writer, plans) };
}

/** Courses of students in submitted mark sheets, by student and course. */
async function findSubmittedResults(
  db: Db,
  records: readonly ImportedRecord[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sheet_rows as r')
    .innerJoin('sheets as s', 's.sheet_id', 'r.sheet_id')
    .select(['r.student_id', 's.course_id'])
    .where('s.state', '=', 'submitted')
    .where(
      'r.student_id',
      'in',
      records.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ student_id, course_id }) => `${student_id}/${course_id}`));
}

/** Why an import that wrote a semester can't be undone: a mark sheet uses one of its results. */
function findRefusal(
  { semester, after }: ImportedSemester,
  now: StudentResults | undefined,
  submitted: ReadonlySet<string>,
): string | undefined {
  const written = now?.protectedSlots.find(
    (one) => one.semester === semester && after.some(({ slot }) => slot === one.slot),
  );
  if (written !== undefined)
    return `A result of it is in mark sheet ${written.sheet_id} (${written.title}), which is confirmed.`;
  const isSubmitted = after.some(({ course_id }) => submitted.has(`${now?.student.id}/${course_id}`));
  return isSubmitted ? 'A result of it is in a mark sheet that is submitted.' : undefined;
}

const toSemesterKey = (id: string, semester: number) => `${id}/${semester}`;

function keptReason(
  { semester, before }: ImportedSemester,
  recorded: number,
  isChanged: boolean,
): string | undefined {
  if (semester > recorded) return 'Deleted since.';
  if (isChanged) return 'Changed since.';
  return before === undefined && semester < recorded ? 'A later semester is recorded.' : undefined;
}

function readEntry({ before, after }: ImportedRecord['entries'][number]): ImportedSemester {
  const academic = academicReply.parse(JSON.parse(after ?? 'null'));
  return {
    semester: academic.semester,
    before: before === null ? undefined : toSubjects(academicReply.parse(JSON.parse(before))),
    after: toSubjects(academic),
  };
}

/** The slots that an import wrote. */
const toSlotKeys = (id: string, { semester, before = [], after }: ImportedSemester): string[] =>
  after
    .filter((subject) => !before.some((other) => isDeepStrictEqual(other, subject)))
    .map(({ slot }) => `${id}/${semester}/${slot}`);

const entryState = z.object({ semester: z.int() });

/** The semesters of these students that have been written since, by student and semester. */
async function findLaterEntries(db: Db, records: readonly ImportedRecord[]): Promise<ReadonlySet<string>> {
  const own = new Set(records.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const rows = await db
    .selectFrom('history')
    .select(['id', 'entity_id', 'before', 'after'])
    .where('entity', '=', 'semester')
    .where(
      'entity_id',
      'in',
      records.map(({ id }) => id),
    )
    .where('id', '>', Math.min(...own))
    .execute();
  return new Set(
    rows
      .filter(({ id }) => !own.has(id))
      .map((row) =>
        toSemesterKey(
          row.entity_id,
          entryState.parse(JSON.parse(row.after ?? row.before ?? 'null')).semester,
        ),
      ),
  );
}
