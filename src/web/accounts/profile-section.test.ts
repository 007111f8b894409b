import { expect, it } from 'vitest';
import { editHash, sectionOf } from './profile-section.ts';

it('finds the section that an address names', () => {
  expect(sectionOf('')).toEqual({ name: 'details' });
  expect(sectionOf('edit')).toEqual({ name: 'edit', userId: undefined });
  expect(sectionOf(editHash(7))).toEqual({ name: 'edit', userId: 7 });
  expect(sectionOf('password')).toEqual({ name: 'password' });
});

it('shows the details for anything else', () => {
  for (const hash of ['main', 'edit-', 'edit-x', 'edit-1e3', 'passwords', 'edit-99999999999999999999']) {
    expect(sectionOf(hash)).toEqual({ name: 'details' });
  }
});
