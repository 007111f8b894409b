import { z } from 'zod';
import { policyRules } from '../../contract/grading/policies.ts';
import type { FieldChange, HistoryEntity } from '../../contract/history.ts';
import { categoryReply } from '../../contract/marksheets/sheets.ts';
import { readSlots } from '../../contract/students/subject-slots.ts';
import { plural } from '../../domain/format-count.ts';
import { gradeLetter } from '../../domain/grading/gpa.ts';
import { RULE_LABELS, ruleText } from '../../domain/grading/policy-text.ts';
import { isRowField, rowField } from '../../domain/marksheets/row-field.ts';
import { fromFraction, STATUSES } from '../../domain/student.ts';
import {
  FAMILY_FIELD_LABELS,
  STATUS_FIELD_LABELS,
  STUDENT_FIELD_LABELS,
} from '../../domain/student-labels.ts';

/** A record as an entry stores it, before or after the change. */
export type RecordState = Readonly<Record<string, unknown>>;

const state = z.record(z.string(), z.unknown());

/** The state in an entry's JSON; empty before a create and after a delete. */
export const parseState = (json: string | null): RecordState =>
  json === null ? {} : (state.safeParse(JSON.parse(json)).data ?? {});

export const statePart = (whole: RecordState, name: string): RecordState =>
  state.safeParse(whole[name]).data ?? {};

type Value = FieldChange['before'];
interface Field {
  field: string;
  label: string;
  value: Value;
}

/** The fields in which two states of a record differ. */
export function fieldChanges(entity: HistoryEntity, before: RecordState, after: RecordState): FieldChange[] {
  const changed = new Map<string, FieldChange>();
  for (const { field, label, value } of toFields(entity, before)) {
    changed.set(field, { field, label, before: value, after: null });
  }
  for (const { field, label, value } of toFields(entity, after)) {
    changed.set(field, { field, label, before: changed.get(field)?.before ?? null, after: value });
  }
  return [...changed.values()].filter(
    (change) => change.before !== change.after && !(change.field === 'id' && isOneNull(change)),
  );
}

/** The ID of a created or deleted student is that of the entry. */
const isOneNull = ({ before, after }: FieldChange) => before === null || after === null;

function toFields(entity: HistoryEntity, record: RecordState): Field[] {
  switch (entity) {
    case 'student':
      return 'student' in record ? recordFields(record) : studentFields(record);
    case 'family':
      return labelled(FAMILY_FIELD_LABELS, record);
    case 'semester':
      return semesterFields(record);
    case 'course':
    case 'marks':
      return labelled(COURSE_LABELS, record);
    case 'term':
      // Most terms are none of the summer, which says nothing.
      return labelled(TERM_LABELS, { ...record, summer: record.summer === true ? true : null });
    case 'institution':
      return institutionFields(record);
    case 'policy':
      return policyFields(record);
    case 'user':
      return [...labelled(USER_LABELS, record), ...otherFields(without(USER_LABELS, record))];
    case 'sheet':
      return sheetFields(record);
    case 'scheme':
      return schemeFields(record);
    case 'opening':
      return labelled(OPENING_LABELS, record);
    case 'exception':
      return labelled(EXCEPTION_LABELS, record);
    case 'outside-credit':
      return labelled(OUTSIDE_LABELS, record);
    case 'hold':
      return holdFields(record);
    case 'export':
      return [...otherFields(without(EXPORT_LABELS, record)), ...labelled(EXPORT_LABELS, record)];
    default:
      return otherFields(record);
  }
}

const COURSE_LABELS = {
  course_code: 'Course code',
  course_name: 'Course name',
  course_description: 'Description',
  credits: 'Credit hours',
  marks_count: 'Marks',
  average: 'Average',
  std_dev: 'Standard deviation',
} as const;

const TERM_LABELS = {
  name: 'Name',
  starts_on: 'Start',
  ends_on: 'End',
  summer: 'Summer term',
  add_until: 'Add until',
  drop_until: 'Drop until',
  withdraw_until: 'Withdraw until',
} as const;

const INSTITUTION_LABELS = {
  name: 'Name',
  short_name: 'Short name',
  address: 'Address',
  signatories: 'Signatories',
  logo: 'Logo',
  public_url: 'Public address',
  programmes: 'Degrees',
} as const;

const USER_LABELS = {
  name: 'Name',
  email: 'Email',
  role: 'Role',
  picture: 'Profile picture',
  password: 'Password',
} as const;

const SHEET_LABELS: Readonly<Record<string, string>> = {
  student_id: 'Registration number',
  credits: 'Credit hours',
  policy: 'Grading policy',
};

const SCHEME_LABELS = {
  number: 'Number',
  name: 'Name',
  department: 'Department',
  degrees: 'Batches',
} as const;

const EXCEPTION_LABELS = {
  row: 'Row of the scheme',
  course_id: 'Course that counts',
  reason: 'Reason',
} as const;

const OPENING_LABELS = {
  term: 'Term',
  sheets: 'Mark sheets',
  students: 'Students',
  undone: 'Mark sheets deleted',
} as const;

const OUTSIDE_LABELS = {
  title: 'Title',
  credits: 'Credit hours',
  institution: 'Institution',
  grade: 'Grade',
  row: 'Row of the scheme',
} as const;

const HOLD_LABELS = {
  kind: 'Kind',
  reason: 'Reason',
  blocks: 'Blocks',
  starts_on: 'From',
  ends_on: 'Until',
  release_reason: 'Reason of the release',
  overrides: 'Documents issued in spite of it',
} as const;

const EXPORT_LABELS = { is_whole: 'Complete' } as const;

function labelled(labels: Readonly<Record<string, string>>, record: RecordState): Field[] {
  return Object.entries(labels).flatMap(([field, label]) =>
    field in record ? { field, label, value: plain(record[field]) } : [],
  );
}

const without = (labels: object, record: RecordState): RecordState =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !(field in labels)));

/** For entities without a form: every field, labelled by its name. */
function otherFields(record: RecordState): Field[] {
  return Object.entries(record)
    .filter(([field]) => field !== 'id' && field !== 'restored_from')
    .map(([field, value]) => ({ field, label: toLabel(field), value: plain(value) }));
}

const toLabel = (field: string) => {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function studentFields(student: RecordState): Field[] {
  return labelled({ ...STUDENT_FIELD_LABELS, ...STATUS_FIELD_LABELS }, student).flatMap((one) => {
    if (one.field === 'status') return { ...one, value: statusName(one.value) };
    const isMarks = one.field.endsWith('_marks') && typeof one.value === 'number';
    return isMarks ? { ...one, value: fromFraction(Number(one.value)) } : one;
  });
}

const statusName = (status: Value): Value =>
  Object.entries(STATUSES).find(([code]) => code === status)?.[1] ?? status;

/** The signatories as one text, and the degrees. */
function institutionFields(institution: RecordState): Field[] {
  const join = (list: unknown, toText: (item: RecordState) => string) => {
    const items = z.array(state).safeParse(list).data ?? [];
    return items.length === 0 ? null : items.map(toText).join('; ');
  };
  return labelled(INSTITUTION_LABELS, {
    ...institution,
    ...('signatories' in institution && {
      signatories: join(institution.signatories, ({ name, title }) => `${plain(name)}, ${plain(title)}`),
    }),
    ...('programmes' in institution && {
      programmes: join(institution.programmes, (one) => `${plain(one.department)}: ${plain(one.title)}`),
    }),
  });
}

/** Cells and rows are labelled already, with the ID of the student; those that are kept are labelled here. */
const sheetFields = ({
  kept,
  teacher_ids: _,
  attendance: __,
  registrations: ___,
  ...sheet
}: RecordState): Field[] =>
  otherFields({ ...sheet, ...keptCells(kept) }).map((one) => ({
    ...one,
    label: SHEET_LABELS[one.field] ?? (isRowField(one.field) ? one.field : one.label),
  }));

const keptRows = z.object({
  categories: z.array(categoryReply),
  rows: z.array(z.object({ student_id: z.string(), cells: state })),
});

/** The marks of a deleted draft or of discarded components. */
function keptCells(kept: unknown): RecordState {
  const { categories, rows } = keptRows.safeParse(kept).data ?? { categories: [], rows: [] };
  const components = categories.flatMap((category) => category.components);
  const names = new Map(components.map(({ component_id, name }) => [String(component_id), name]));
  return Object.fromEntries(
    rows.flatMap(({ student_id, cells }) =>
      Object.entries(cells).map(([id, cell]) => [rowField(student_id, names.get(id)), cell]),
    ),
  );
}

/** What is blocked and which documents were issued in spite of it, each as one text. */
function holdFields(hold: RecordState): Field[] {
  const join = (list: unknown) => (Array.isArray(list) && list.length > 0 ? list.join(', ') : null);
  return labelled(HOLD_LABELS, {
    ...hold,
    ...('blocks' in hold && { blocks: join(hold.blocks) }),
    ...('overrides' in hold && { overrides: join(hold.overrides) }),
  });
}

/** The batches as one text, and each rule in plain words. */
function policyFields(policy: RecordState): Field[] {
  const { batches } = policy;
  const rules = policyRules.partial().safeParse(policy).data ?? {};
  const texts = Object.keys(rules).map((rule) => [rule, ruleText(rule as keyof typeof rules, rules)]);
  return labelled(
    { name: 'Name', batches: 'Batches', ...RULE_LABELS },
    {
      ...policy,
      batches: Array.isArray(batches) ? batches.join(', ') : batches,
      ...Object.fromEntries(texts),
    },
  );
}

/** The batches as one text, and each row. */
function schemeFields(scheme: RecordState): Field[] {
  const { degrees } = scheme;
  const rows = z.array(state).safeParse(scheme.rows).data ?? [];
  return [
    ...labelled(SCHEME_LABELS, {
      ...scheme,
      ...('degrees' in scheme && { degrees: Array.isArray(degrees) ? degrees.join(', ') : 'all' }),
    }),
    ...rows.map(({ key, semester, title, theory, lab, ...courses }) => ({
      field: `row_${plain(key)}`,
      label: `Row ${plain(key)}`,
      value: `Semester ${plain(semester)}, ${plain(title)}, ${plain(theory)}+${plain(lab)}, ${coursesText(courses)}`,
    })),
  ];
}

function coursesText({ options, needs }: RecordState): string {
  const ids = z.array(z.int()).safeParse(options).data ?? [];
  const needed = z.array(state).safeParse(needs).data ?? [];
  const texts = needed.map(({ course_id, kind }) => `${plain(course_id)} ${plain(kind)}`);
  return [`courses ${ids.join(', ')}`, ...(texts.length > 0 ? [`needs ${texts.join(', ')}`] : [])].join(', ');
}

/** A whole record of a deleted or restored student, with a summary of each semester. */
function recordFields(record: RecordState): Field[] {
  const semesters = z.array(state).safeParse(record.academics).data ?? [];
  return [
    ...studentFields(statePart(record, 'student')),
    ...labelled(FAMILY_FIELD_LABELS, statePart(record, 'family')),
    ...semesters.map((semester) => ({
      field: `semester_${plain(semester.semester)}`,
      label: `Semester ${plain(semester.semester)}`,
      value:
        semester.elsewhere === true
          ? 'Before entry'
          : `${plural(subjectFields(semester).length, 'subject')}, SGPA ${plain(semester.sgpa)}, CGPA ${plain(semester.cgpa)}`,
    })),
  ];
}

const semesterFields = (semester: RecordState): Field[] => [
  ...subjectFields(semester),
  ...labelled({ elsewhere: 'Before entry', sgpa: 'SGPA', cgpa: 'CGPA', reason: 'Reason' }, semester),
];

/** The filled slots, each as one text. */
const subjectFields = (semester: RecordState): Field[] =>
  readSlots(semester).map(({ slot, title, id, credit, grade }) => {
    const parts = [
      id === null ? title : `${title} (course ${id})`,
      ...(credit === null ? [] : [plural(credit, 'credit hour')]),
      ...(grade === null ? [] : [`grade ${gradeLetter(grade) ?? grade}`]),
    ];
    return { field: `subject_${slot}`, label: `Subject ${slot}`, value: parts.join(', ') };
  });

function plain(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return JSON.stringify(value);
}
