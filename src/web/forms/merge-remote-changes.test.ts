import { expect, it } from 'vitest';
import { mergeRemoteChanges } from './merge-remote-changes.ts';

const base = { title: 'Calculus', grade: 'A', note: '', version: '"1"' };

it('mergeRemoteChanges returns the fields that only the other user has changed', () => {
  const mine = { ...base, grade: 'B' };
  const stored = { ...base, title: 'Algebra', grade: 'C', version: '"2"' };
  expect(mergeRemoteChanges({ base, mine, stored })).toEqual(['title']);
});

it('mergeRemoteChanges accepts fields of one group together or not at all', () => {
  const mine = { ...base, grade: 'B' };
  const stored = { title: 'Algebra', grade: 'A', note: 'Repeated', version: '"2"' };
  const partOf = (name: string) => (name === 'note' ? 'note' : 'subject');
  expect(mergeRemoteChanges({ base, mine, stored, partOf })).toEqual(['note']);
});
