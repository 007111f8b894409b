import { describe, expect, it } from 'vitest';
import { mergeRemoteChanges } from './merge-remote-changes.ts';

const base = { title: 'Calculus', grade: 'A', note: '', version: '"1"' };

describe('mergeRemoteChanges', () => {
  it('accepts what only the other user has changed', () => {
    const mine = { ...base, grade: 'B' };
    const stored = { ...base, title: 'Algebra', version: '"2"' };
    expect(mergeRemoteChanges({ base, mine, stored })).toEqual({ merged: ['title'], conflicts: [] });
  });

  it('finds a conflict where both have changed a field to different values', () => {
    const mine = { ...base, title: 'Algebra', grade: 'B', note: 'Mine' };
    const stored = { ...base, title: 'Algebra ', grade: 'C', version: '"2"' };
    expect(mergeRemoteChanges({ base, mine, stored })).toEqual({ merged: [], conflicts: ['grade'] });
  });

  it('accepts fields of one group together or not at all', () => {
    const mine = { ...base, grade: 'B' };
    const stored = { title: 'Algebra', grade: 'A', note: 'Repeated', version: '"2"' };
    const getPart = (name: string) => (name === 'note' ? 'note' : 'subject');
    expect(mergeRemoteChanges({ base, mine, stored, getPart })).toEqual({
      merged: ['note'],
      conflicts: ['title', 'grade'],
    });
  });
});
