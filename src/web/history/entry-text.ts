import type { FieldChange, HistoryEntry, HistoryState } from '../../contract/history.ts';
import { GRADING_METHODS } from '../../domain/grading/policy.ts';
import { BOUNDARY_LETTERS, GRADING_METHOD_NAMES } from '../../domain/grading/policy-text.ts';
import { isRowField } from '../../domain/marksheets/row-field.ts';
import { departmentName, formatCount, formatDate } from '../lib/format.ts';
import { GENDER_LABELS } from '../students/student-format.ts';

const PREDICATES: Record<HistoryEntry['entity'], Record<HistoryEntry['action'], string>> = {
  student: {
    create: 'entered the student',
    update: 'changed the base details',
    delete: 'deleted the student',
  },
  family: { create: 'entered the family', update: 'changed the family', delete: 'deleted the family' },
  semester: {
    create: 'recorded semester',
    update: 'changed the results of semester',
    delete: 'deleted semester',
  },
  course: { create: 'added the course', update: 'changed the course', delete: 'deleted the course' },
  marks: { create: 'uploaded marks', update: 'uploaded marks', delete: 'removed marks' },
  term: { create: 'added the term', update: 'changed the term', delete: 'deleted the term' },
  institution: {
    create: 'entered the institution',
    update: 'changed the institution',
    delete: '',
  },
  user: { create: 'registered', update: 'changed the account', delete: 'deleted the account' },
  view: { create: 'saved a view', update: 'changed a saved view', delete: 'removed a saved view' },
  export: { create: 'began an export of students', update: 'finished an export of students', delete: '' },
  policy: { create: 'made grading policy', update: '', delete: '' },
  scheme: {
    create: 'began the draft of a scheme',
    update: 'changed the scheme',
    delete: 'deleted the draft of a scheme',
  },
  opening: { create: 'opened a term', update: 'undid the opening of a term', delete: '' },
  equivalent: { create: 'joined two courses', update: '', delete: 'parted two courses' },
  exception: {
    create: 'made an exception for a row of the scheme',
    update: '',
    delete: 'took back an exception for a row of the scheme',
  },
  'outside-credit': {
    create: 'entered credits from elsewhere',
    update: 'changed credits from elsewhere',
    delete: 'deleted credits from elsewhere',
  },
  hold: { create: 'placed a hold', update: 'changed a hold', delete: '' },
  sheet: {
    create: 'made the mark sheet',
    update: 'changed the mark sheet',
    delete: 'deleted the mark sheet',
  },
  'result-notification': { create: 'made results final', update: '', delete: '' },
  document: { create: 'issued the document', update: 'revoked the document', delete: '' },
  list: { create: 'read the list of students', update: '', delete: '' },
};

/** The action of an entry, as the predicate after the user's name. */
export function describeEntry(entry: HistoryEntry): string {
  const { entity, action, semester, entity_id, restored_from, changes } = entry;
  if (entity === 'student' && entity_id === '*') return 'created the sample students';
  if (entity === 'export' && changes.some(({ field, after }) => field === 'is_whole' && after === 'no')) {
    return 'did not finish an export of students';
  }
  if (entity === 'export' && changes.some(({ field }) => field === 'report')) return 'exported a report';
  if (entity === 'student' && changes.some(({ field }) => field === 'id'))
    return 'changed the registration number';
  if (entity === 'document' && entity_id.startsWith('key ')) return `made signing ${entity_id}`;
  if (entity === 'document' && entity_id.startsWith('unofficial')) return 'made unofficial documents';
  if (entity === 'document' && entity_id.startsWith('copy of ')) return `made a ${entity_id}`;
  if (entity === 'document') return `${PREDICATES.document[action]} ${entity_id}`;
  if (entity === 'hold' && action === 'update')
    return changes.some(({ field }) => field === 'release_reason')
      ? 'released a hold'
      : 'issued a document in spite of a hold';
  if (entity === 'sheet') return describeSheetEntry(entry);
  if (entity === 'result-notification') {
    const [ofClass, inSemester] = ['class', 'semester'].map(
      (name) => changes.find(({ field }) => field === name)?.after,
    );
    return `made final the results of ${ofClass} in semester ${inSemester}`;
  }
  if (entity === 'policy') return `${PREDICATES.policy[action]} ${entity_id}`;
  const isInvitation = changes.some(({ field, after }) => field === 'waiting_for' && after === 'invitation');
  if (entity === 'user' && action === 'create' && isInvitation) return 'invited the user';
  const done = PREDICATES[entity][action];
  if (restored_from === null) return semester === null ? done : `${done} ${semester}`;
  const parts: Partial<Record<HistoryEntry['entity'], string>> = {
    family: 'the family',
    semester: `semester ${semester}`,
    course: 'the course',
    marks: 'the marks',
    term: 'the term',
    institution: 'the institution',
    scheme: 'the draft of a scheme',
    exception: 'the exception',
    'outside-credit': 'the credits from elsewhere',
    student: action === 'create' ? 'the student' : 'the base details',
  };
  const what = parts[entity] ?? 'the record';
  return action === 'create' ? `restored ${what}` : `restored an earlier state of ${what}`;
}

/** Steps in the life of a mark sheet, by the state that it has after them. */
const SHEET_STEPS: Readonly<Record<string, string>> = {
  draft: 'took back the mark sheet',
  submitted: 'submitted the mark sheet',
  confirmed: 'confirmed the mark sheet',
};

function describeSheetEntry({ action, changes, restored_from }: HistoryEntry): string {
  const has = (field: string) => changes.find((change) => change.field === field);
  if (restored_from !== null)
    return action === 'create' ? 'restored the mark sheet' : 'restored components of the mark sheet';
  if (action !== 'update') {
    const isRectification = typeof has('rectifies')?.after === 'number';
    return isRectification ? 'opened a rectification, mark sheet' : PREDICATES.sheet[action];
  }
  const step = SHEET_STEPS[String(has('state')?.after)];
  if (step !== undefined) return step;
  if (has('not_recorded')) return 'recorded results of the mark sheet that were left';
  if (has('boundaries') || has('method')) return 'stored boundaries of the mark sheet';
  if (has('students_added')) return 'added students to the mark sheet';
  if (has('student_removed')) return 'took a student off the mark sheet';
  if (changes.length > 0 && changes.every(({ field }) => field.endsWith('reason to add')))
    return 'gave a reason for students of the mark sheet';
  // Cells and rows are labelled by student.
  const isOfRows = changes.length > 0 && changes.every(({ field }) => isRowField(field));
  return isOfRows ? 'changed marks in the mark sheet' : PREDICATES.sheet.update;
}

const RESTORABLE: readonly HistoryEntry['entity'][] = [
  'student',
  'family',
  'semester',
  'course',
  'marks',
  'term',
  'institution',
  'scheme',
  'exception',
  'outside-credit',
];

/** The states of an entry that can be restored. Of mark sheets deleted drafts and components that went with their marks can. */
export function restorableStates({
  entity,
  action,
  entity_id,
  changes,
}: HistoryEntry): readonly HistoryState[] {
  if (entity === 'sheet') {
    const hasDiscarded =
      changes.some(({ field }) => field === 'categories') &&
      changes.some(({ field, after }) => isRowField(field) && after === null);
    return action === 'delete' || (action === 'update' && hasDiscarded) ? ['before'] : [];
  }
  if (!RESTORABLE.includes(entity) || entity_id === '*') return [];
  if (action === 'delete' || entity === 'marks') return ['before'];
  return action === 'create' ? ['after'] : ['before', 'after'];
}

/** Their entries are about a student. */
const STUDENT_PARTS: readonly HistoryEntry['entity'][] = [
  'student',
  'family',
  'semester',
  'exception',
  'outside-credit',
  'hold',
];

/** The path of the history of the entry's record. */
export function recordHistoryPath({ entity, entity_id }: HistoryEntry): string | undefined {
  if (entity_id === '*') return undefined;
  if (STUDENT_PARTS.includes(entity)) {
    return `/students/${encodeURIComponent(entity_id)}/history`;
  }
  if (entity === 'sheet') return `/marksheets/${entity_id}/changes`;
  return entity === 'course' || entity === 'marks' ? `/courses/${entity_id}/history` : undefined;
}

/** A field's value for display; null without one. */
export function valueText(
  { field }: Pick<FieldChange, 'field'>,
  value: FieldChange['before'],
): string | null {
  if (value === null || value === '') return null;
  const text = String(value);
  switch (field) {
    case 'dob':
    case 'joining_date':
    case 'starts_on':
    case 'ends_on':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? formatDate(text) : text;
    case 'department':
      return departmentName(text);
    case 'method': {
      const method = GRADING_METHODS.find((one) => one === text);
      return method === undefined ? text : GRADING_METHOD_NAMES[method];
    }
    case 'boundaries':
    case 'proposed_boundaries':
      return lettered(text);
    case 'gender':
      return text === 'F' || text === 'M' ? GENDER_LABELS[text] : text;
    case 'img':
    case 'picture':
    case 'logo':
      return /^\/api\/pictures\//.test(text) ? 'A picture' : text;
    case 'sgpa':
    case 'cgpa':
    case 'average':
    case 'std_dev':
      return typeof value === 'number' ? value.toFixed(2) : text;
    default:
      return typeof value === 'number' && field !== 'fsc_year' && field !== 'matric_year'
        ? formatCount(value)
        : text;
  }
}

/** The boundaries of a mark sheet with their letters. */
function lettered(text: string): string {
  const totals = text.split(' ').map(Number);
  if (totals.length !== BOUNDARY_LETTERS.length || totals.some(Number.isNaN)) return text;
  return totals.map((total, i) => `${BOUNDARY_LETTERS[i]} ${total.toFixed(2)}`).join(', ');
}
