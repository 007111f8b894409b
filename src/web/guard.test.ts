import { describe, expect, it } from 'vitest';
import { redirectFor } from './guard.ts';

describe('redirectFor', () => {
  const guest = { isSignedIn: false, visitedPath: null };

  // Covers 2.23
  it.each(['/', '/students', '/students/409318/edit', '/someshit', '/no/such/page', '/verify/a/b'])(
    'redirects a signed-out visitor of %s to the login page',
    (path) => expect(redirectFor(path, guest)).toBe('/login'),
  );

  // Covers 2.22
  it.each([
    '/login',
    '/register',
    '/forgot-password',
    '/password-recovery',
    '/set-password',
    '/invitation',
    '/login/',
    '/verify',
    '/verify/2026-000001.7K3M9QXD42TB7K3M',
  ])('lets a signed-out visitor open %s', (path) => expect(redirectFor(path, guest)).toBeNull());

  // Covers 2.21
  it.each(['/login', '/register', '/forgot-password'])(
    'redirects a signed-in visitor of %s to the last visited path',
    (path) => expect(redirectFor(path, { isSignedIn: true, visitedPath: '/courses' })).toBe('/courses'),
  );

  it('redirects a signed-in visitor without a last visited path to Home', () => {
    expect(redirectFor('/login', { isSignedIn: true, visitedPath: null })).toBe('/');
    expect(redirectFor('/login', { isSignedIn: true, visitedPath: '/register' })).toBe('/');
  });

  it('lets a signed-in visitor open every other page', () => {
    const staff = { isSignedIn: true, visitedPath: '/students' };
    expect(redirectFor('/', staff)).toBeNull();
    expect(redirectFor('/password-recovery', staff)).toBeNull();
  });
});
