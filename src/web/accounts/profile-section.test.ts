import { expect, it } from 'vitest';
import { editHash, parseSection, visibleSection } from './profile-section.ts';

it('parses the section from the fragment', () => {
  expect(parseSection('')).toEqual({ name: 'details' });
  expect(parseSection('edit')).toEqual({ name: 'edit', userId: undefined });
  expect(parseSection(editHash(7))).toEqual({ name: 'edit', userId: 7 });
  expect(parseSection('password')).toEqual({ name: 'password' });
  expect(parseSection('second-factor')).toEqual({ name: 'second-factor' });
});

it('falls back to the details for an unknown fragment', () => {
  for (const hash of ['main', 'edit-', 'edit-x', 'edit-1e3', 'passwords', 'edit-99999999999999999999']) {
    expect(parseSection(hash)).toEqual({ name: 'details' });
  }
});

it('lets admins edit other existing accounts', () => {
  const shown = (userId: number, isAdmin: boolean) =>
    visibleSection({ name: 'edit', userId }, { own: 1, isAdmin, userIds: [1, 2] });
  expect(shown(2, true)).toEqual({ name: 'edit', userId: 2 });
  expect(shown(2, false)).toEqual({ name: 'details' });
  expect(shown(3, true)).toEqual({ name: 'details' });
  expect(shown(1, false)).toEqual({ name: 'edit', userId: undefined });
});
