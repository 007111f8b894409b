import { expect, it } from 'vitest';
import { editHash, sectionOf, shownSection } from './profile-section.ts';

it('finds the section that an address names', () => {
  expect(sectionOf('')).toEqual({ name: 'details' });
  expect(sectionOf('edit')).toEqual({ name: 'edit', userId: undefined });
  expect(sectionOf(editHash(7))).toEqual({ name: 'edit', userId: 7 });
  expect(sectionOf('password')).toEqual({ name: 'password' });
  expect(sectionOf('second-factor')).toEqual({ name: 'second-factor' });
});

it('shows the details for anything else', () => {
  for (const hash of ['main', 'edit-', 'edit-x', 'edit-1e3', 'passwords', 'edit-99999999999999999999']) {
    expect(sectionOf(hash)).toEqual({ name: 'details' });
  }
});

it('shows the edit of others to an admin, where there is such an account', () => {
  const shown = (userId: number, isAdmin: boolean) =>
    shownSection({ name: 'edit', userId }, { own: 1, isAdmin, userIds: [1, 2] });
  expect(shown(2, true)).toEqual({ name: 'edit', userId: 2 });
  expect(shown(2, false)).toEqual({ name: 'details' });
  expect(shown(3, true)).toEqual({ name: 'details' });
  expect(shown(1, false)).toEqual({ name: 'edit', userId: undefined });
});
