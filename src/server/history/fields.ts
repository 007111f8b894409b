import { z } from 'zod';
import { SLOTS } from '../../contract/academics.ts';
import type { FieldChange, HistoryEntity } from '../../contract/history.ts';
import { FAMILY_FIELD_LABELS, STUDENT_FIELD_LABELS } from '../../domain/field-labels.ts';
import { gradeLetter } from '../../domain/grade-scale.ts';
import { fromFraction } from '../../domain/school-marks.ts';

/** A thing as an entry keeps it, before or after. */
export type State = Readonly<Record<string, unknown>>;

const state = z.record(z.string(), z.unknown());

/** The thing in an entry's JSON; nothing before a create and after a delete. */
export const readState = (json: string | null): State =>
  json === null ? {} : (state.safeParse(JSON.parse(json)).data ?? {});

export const partOf = (whole: State, name: string): State => state.safeParse(whole[name]).data ?? {};

type Value = FieldChange['before'];
interface Field {
  field: string;
  label: string;
  value: Value;
}

/** The fields in which two states of a thing differ. */
export function fieldChanges(entity: HistoryEntity, before: State, after: State): FieldChange[] {
  const changed = new Map<string, FieldChange>();
  for (const { field, label, value } of fieldsOf(entity, before)) {
    changed.set(field, { field, label, before: value, after: null });
  }
  for (const { field, label, value } of fieldsOf(entity, after)) {
    changed.set(field, { field, label, before: changed.get(field)?.before ?? null, after: value });
  }
  return [...changed.values()].filter((change) => change.before !== change.after);
}

function fieldsOf(entity: HistoryEntity, thing: State): Field[] {
  switch (entity) {
    case 'student':
      return 'student' in thing ? recordFields(thing) : studentFields(thing);
    case 'family':
      return labelled(FAMILY_FIELD_LABELS, thing);
    case 'semester':
      return semesterFields(thing);
    case 'course':
    case 'marks':
      return labelled(COURSE_LABELS, thing);
    case 'user':
      return [...labelled(USER_LABELS, thing), ...otherFields(without(USER_LABELS, thing))];
    case 'export':
      return [...otherFields(without(EXPORT_LABELS, thing)), ...labelled(EXPORT_LABELS, thing)];
    default:
      return otherFields(thing);
  }
}

const COURSE_LABELS = {
  course_code: 'Course code',
  course_name: 'Course name',
  course_description: 'Description',
  marks_count: 'Marks',
  average: 'Average',
  std_dev: 'Standard deviation',
} as const;

const USER_LABELS = {
  name: 'Name',
  email: 'Email',
  role: 'Role',
  picture: 'Profile picture',
  password: 'Password',
} as const;

const EXPORT_LABELS = { is_whole: 'Complete' } as const;

function labelled(labels: Readonly<Record<string, string>>, thing: State): Field[] {
  return Object.entries(labels).flatMap(([field, label]) =>
    field in thing ? { field, label, value: plain(thing[field]) } : [],
  );
}

const without = (labels: object, thing: State): State =>
  Object.fromEntries(Object.entries(thing).filter(([field]) => !(field in labels)));

/** A thing of the product's own, which has no form: each of its fields under its name. */
function otherFields(thing: State): Field[] {
  return Object.entries(thing)
    .filter(([field]) => field !== 'id' && field !== 'restored_from')
    .map(([field, value]) => ({ field, label: nameOf(field), value: plain(value) }));
}

const nameOf = (field: string) => {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function studentFields(student: State): Field[] {
  return labelled(STUDENT_FIELD_LABELS, student).flatMap((one) => {
    if (one.field === 'id') return [];
    const isMarks = one.field.endsWith('_marks') && typeof one.value === 'number';
    return isMarks ? { ...one, value: fromFraction(Number(one.value)) } : one;
  });
}

/** A whole record, of a student who was deleted or brought back; of results what they come to. */
function recordFields(record: State): Field[] {
  const semesters = z.array(state).safeParse(record.academics).data ?? [];
  return [
    ...studentFields(partOf(record, 'student')),
    ...labelled(FAMILY_FIELD_LABELS, partOf(record, 'family')),
    ...semesters.map((semester) => ({
      field: `semester_${plain(semester.semester)}`,
      label: `Semester ${plain(semester.semester)}`,
      value: `${countOf(subjectFields(semester).length, 'subject')}, SGPA ${plain(semester.sgpa)}, CGPA ${plain(semester.cgpa)}`,
    })),
  ];
}

const semesterFields = (semester: State): Field[] => [
  ...subjectFields(semester),
  ...labelled({ sgpa: 'SGPA', cgpa: 'CGPA' }, semester),
];

/** The filled slots, each as one text. */
function subjectFields(semester: State): Field[] {
  return SLOTS.flatMap((slot) => {
    const title = semester[`subject_${slot}`];
    if (typeof title !== 'string') return [];
    const course = semester[`subject_${slot}_id`];
    const credit = semester[`subj_credit_${slot}`];
    const points = semester[`subj_grade_${slot}`];
    const parts = [
      typeof course === 'number' ? `${title} (course ${course})` : title,
      ...(typeof credit === 'number' ? [countOf(credit, 'credit hour')] : []),
      ...(typeof points === 'number' ? [`grade ${gradeLetter(points) ?? points}`] : []),
    ];
    return { field: `subject_${slot}`, label: `Subject ${slot}`, value: parts.join(', ') };
  });
}

function plain(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return JSON.stringify(value);
}

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
