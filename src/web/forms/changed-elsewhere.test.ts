import { expect, it } from 'vitest';
import { changedElsewhere } from './changed-elsewhere.ts';

const base = { title: 'Calculus', grade: 'A', note: '', version: '"1"' };

it('finds what only somebody else has changed', () => {
  const mine = { ...base, grade: 'B' };
  const stored = { ...base, title: 'Algebra', grade: 'C', version: '"2"' };
  expect(changedElsewhere({ base, mine, stored })).toEqual(['title']);
});

it('leaves fields together that mean something only together', () => {
  const mine = { ...base, grade: 'B' };
  const stored = { title: 'Algebra', grade: 'A', note: 'Repeated', version: '"2"' };
  const partOf = (name: string) => (name === 'note' ? 'note' : 'subject');
  expect(changedElsewhere({ base, mine, stored, partOf })).toEqual(['note']);
});
