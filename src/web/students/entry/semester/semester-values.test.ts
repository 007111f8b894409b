import { describe, expect, it } from 'vitest';
import type { Academic } from '../../../../contract/students/academics.ts';
import {
  EMPTY_SEMESTER,
  SEMESTER_FIELDS,
  slotsFromFormValues,
  slotsToFormValues,
  toSemesterBody,
  toSemesterValues,
} from './semester-values.ts';
import { emptySlots, slotsReducer, visibleSlotCount } from './subjects/subject-slots.ts';

const academic = (subjects: Partial<Academic>): Academic => ({
  academic_id: 1,
  student_id: '408877',
  semester: 1,
  sgpa: 0,
  cgpa: 0,
  subject_1: null,
  subject_1_id: null,
  subj_credit_1: null,
  subj_grade_1: null,
  subject_2: null,
  subject_2_id: null,
  subj_credit_2: null,
  subj_grade_2: null,
  subject_3: null,
  subject_3_id: null,
  subj_credit_3: null,
  subj_grade_3: null,
  subject_4: null,
  subject_4_id: null,
  subj_credit_4: null,
  subj_grade_4: null,
  subject_5: null,
  subject_5_id: null,
  subj_credit_5: null,
  subj_grade_5: null,
  subject_6: null,
  subject_6_id: null,
  subj_credit_6: null,
  subj_grade_6: null,
  subject_7: null,
  subject_7_id: null,
  subj_credit_7: null,
  subj_grade_7: null,
  subject_8: null,
  subject_8_id: null,
  subj_credit_8: null,
  subj_grade_8: null,
  subject_9: null,
  subject_9_id: null,
  subj_credit_9: null,
  subj_grade_9: null,
  subject_10: null,
  subject_10_id: null,
  subj_credit_10: null,
  subj_grade_10: null,
  ...subjects,
});

describe('the form values of a semester', () => {
  // Covers 3.25
  it('have forty fields in reading order', () => {
    expect(SEMESTER_FIELDS).toHaveLength(40);
    expect(SEMESTER_FIELDS.slice(4, 8).map((field) => field.name)).toEqual([
      'subject_2',
      'subject_2_id',
      'subj_credit_2',
      'subj_grade_2',
    ]);
  });

  it('keep a recorded subject in its slot', () => {
    const values = toSemesterValues(
      academic({ subject_3: 'Physics', subject_3_id: 1101, subj_credit_3: 3, subj_grade_3: 0 }),
    );
    const slots = slotsFromFormValues(values);
    expect(visibleSlotCount(slots)).toBe(1);
    expect(slots[2]).toEqual({ title: 'Physics', id: '1101', credit: '3', grade: 'F', shown: true });
    const body = toSemesterBody(values);
    expect(body).toMatchObject({ subject_3: 'Physics', subject_3_id: '1101', subj_grade_3: 'F' });
    expect(body.subject_1).toBe('');
  });

  it('are those of an empty form without subjects', () => {
    expect(toSemesterValues(academic({}))).toEqual(EMPTY_SEMESTER);
    expect(slotsFromFormValues(EMPTY_SEMESTER)).toEqual(emptySlots());
  });
});

it('keeps visible and hidden slots in the form values', () => {
  const filled = slotsReducer(emptySlots(), {
    type: 'change',
    index: 3,
    values: { title: 'Physics', id: '1101', credit: '3', grade: 'B+' },
  });
  const slots = slotsReducer(filled, { type: 'remove', index: 0 });
  const values = slotsToFormValues(slots);
  expect(values).toMatchObject({ shown: '2 3 4 5', subject_4: 'Physics', subj_grade_4: 'B+' });
  expect(slotsFromFormValues(values)).toEqual(slots);
});
