import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  discardDraft,
  discardUserDrafts,
  hasDrafts,
  readDraft,
  transferDraft,
  writeDraft,
} from './drafts.ts';

/** The parts of the Storage API that drafts need, with keys as own properties. */
class FakeStorage {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new FakeStorage());
  sessionStorage.setItem('CURRENT-USER-ID', '7');
});
afterEach(() => vi.unstubAllGlobals());

describe('drafts', () => {
  it('exist once the user has typed something', () => {
    writeDraft('profile-password', {});
    writeDraft('course-create', { course_name: '' });
    expect(hasDrafts()).toBe(false);
    writeDraft('student-edit:7', { first_name: 'Karim' });
    expect(hasDrafts()).toBe(true);
    sessionStorage.setItem('CURRENT-USER-ID', '70');
    expect(hasDrafts()).toBe(false);
  });

  it('are read as they were written', () => {
    writeDraft('student-create', { first_name: ' Karim', fsc_marks: '12e' });
    expect(readDraft('student-create')).toEqual({ first_name: ' Karim', fsc_marks: '12e' });
    expect(readDraft('family-create')).toBeNull();
  });

  it('are transferred without empty fields and with an empty version', () => {
    transferDraft('family-edit:1', { father_name: 'Imran', mother_name: ' ', address: '' });
    expect(readDraft('family-edit:1')).toEqual({ father_name: 'Imran', version: '' });
  });

  it('are transferred with all fields of a group', () => {
    const typed = { a1: 'Calculus', b1: '', a2: '', b2: '' };
    transferDraft('semester', typed, (name) => name.slice(1));
    expect(readDraft('semester')).toEqual({ a1: 'Calculus', b1: '', version: '' });
  });

  it('are invisible to other users', () => {
    writeDraft('student-create', { first_name: 'Karim' });
    sessionStorage.setItem('CURRENT-USER-ID', '8');
    expect(readDraft('student-create')).toBeNull();
  });

  it('survive a sign-out and the same user’s next sign-in', () => {
    writeDraft('student-create', { first_name: 'Karim' });
    sessionStorage.removeItem('CURRENT-USER-ID');
    expect(readDraft('student-create')).toBeNull();
    sessionStorage.setItem('CURRENT-USER-ID', '7');
    expect(readDraft('student-create')).toEqual({ first_name: 'Karim' });
  });

  it('are discarded one at a time or all of a user', () => {
    writeDraft('a', { x: '1' });
    writeDraft('b', { x: '2' });
    writeDraft('c', { x: '3' });
    discardDraft('a');
    expect(readDraft('a')).toBeNull();
    expect(readDraft('b')).toEqual({ x: '2' });
    discardUserDrafts('7');
    expect(readDraft('b')).toBeNull();
    expect(sessionStorage.getItem('CURRENT-USER-ID')).toBe('7');
  });

  it.each(['not json', '7', 'null', '{"x":1}'])('ignore %s as the stored value', (stored) => {
    sessionStorage.setItem('DRAFT:7:a', stored);
    expect(Object.keys(readDraft('a') ?? {})).toEqual([]);
  });
});
