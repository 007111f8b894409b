import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { storeEndedPage, storeOpenedLink, takeReturnPage } from './return-page.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const PAGE = { path: '/students/900050/edit', userId: 7, hasDraft: true };

describe('the page to return to after a sign-in', () => {
  test('is offered once, to the user whose session ended', () => {
    storeEndedPage(PAGE);
    expect(takeReturnPage(7)).toEqual({ ...PAGE, semester: null });
    expect(takeReturnPage(7)).toBeNull();
    storeEndedPage(PAGE);
    expect(takeReturnPage(8)).toBeNull();
    expect(takeReturnPage(7)).toBeNull();
  });

  test('has the semester whose results were being entered', () => {
    stored.set('STARTING-SEM', '2');
    stored.set('STARTING-SEM-OF', '900050');
    const semesterAt = (path: string) => {
      storeEndedPage({ ...PAGE, path });
      return takeReturnPage(7)?.semester;
    };
    expect(semesterAt('/students/900050/academics/edit')).toBe(2);
    expect(semesterAt('/students/900051/academics/edit')).toBeNull();
    expect(semesterAt('/students/900050/edit')).toBeNull();
  });

  test('is offered to anybody after a link was opened signed out', () => {
    storeOpenedLink('/courses');
    storeOpenedLink('/insights?department=CE');
    expect(takeReturnPage(8)?.path).toBe('/insights?department=CE');
  });

  test('is not replaced by a link that is opened signed out', () => {
    storeEndedPage(PAGE);
    storeOpenedLink('/courses');
    expect(takeReturnPage(7)?.path).toBe(PAGE.path);
  });

  test.each([
    'https://other.example/',
    '//other.example',
    '/\\other.example',
    'students',
    '',
    'javascript:0',
  ])('is never %s, outside of the application', (path) => {
    storeEndedPage({ ...PAGE, path });
    expect(takeReturnPage(7)).toBeNull();
    storeOpenedLink(path);
    expect(takeReturnPage(7)).toBeNull();
  });

  test.each(['', '{', '7', '{"path":"/courses"}', '{"path":7,"userId":7,"semester":2,"hasDraft":true}'])(
    'is ignored when it is malformed: %s',
    (text) => {
      stored.set('RETURN-PAGE', text);
      expect(takeReturnPage(7)).toBeNull();
    },
  );
});
