import { expect, it } from 'vitest';
import { fromFormValues, toFormValues } from './form-values.ts';
import { changeSlots, emptySlots } from './subject-slots.ts';

it('keeps the places of a semester, shown or hidden, as flat texts', () => {
  const filled = changeSlots(emptySlots(), {
    type: 'change',
    index: 3,
    values: { title: 'Physics', id: '1101', credit: '3', grade: 'B+' },
  });
  const slots = changeSlots(filled, { type: 'remove', index: 0 });
  const values = toFormValues(slots);
  expect(values).toMatchObject({ shown: '2 3 4 5', subject_4: 'Physics', subj_grade_4: 'B+' });
  expect(fromFormValues(values)).toEqual(slots);
});
