import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { discardDraft, discardDraftsOf, handOver, hasDrafts, readDraft, writeDraft } from './drafts.ts';

/** As much of the browser's storage as drafts need: keys are its own properties there. */
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
  it('are there once something was typed, by the same person', () => {
    writeDraft('profile-password', {});
    writeDraft('course-create', { course_name: '' });
    expect(hasDrafts()).toBe(false);
    writeDraft('student-edit:7', { first_name: 'Karim' });
    expect(hasDrafts()).toBe(true);
    sessionStorage.setItem('CURRENT-USER-ID', '70');
    expect(hasDrafts()).toBe(false);
  });

  it('come back as they were typed', () => {
    writeDraft('student-create', { first_name: ' Karim', fsc_marks: '12e' });
    expect(readDraft('student-create')).toEqual({ first_name: ' Karim', fsc_marks: '12e' });
    expect(readDraft('family-create')).toBeNull();
  });

  it('are handed over without what was left empty, and without a version', () => {
    handOver('family-edit:1', { father_name: 'Imran', mother_name: ' ', address: '' });
    expect(readDraft('family-edit:1')).toEqual({ father_name: 'Imran', version: '' });
  });

  it('are handed over whole where fields belong together', () => {
    const typed = { a1: 'Calculus', b1: '', a2: '', b2: '' };
    handOver('semester', typed, (name) => name.slice(1));
    expect(readDraft('semester')).toEqual({ a1: 'Calculus', b1: '', version: '' });
  });

  it('are not shown to another person', () => {
    writeDraft('student-create', { first_name: 'Karim' });
    sessionStorage.setItem('CURRENT-USER-ID', '8');
    expect(readDraft('student-create')).toBeNull();
  });

  it('are still there when the same person signs in again', () => {
    writeDraft('student-create', { first_name: 'Karim' });
    sessionStorage.removeItem('CURRENT-USER-ID');
    expect(readDraft('student-create')).toBeNull();
    sessionStorage.setItem('CURRENT-USER-ID', '7');
    expect(readDraft('student-create')).toEqual({ first_name: 'Karim' });
  });

  it('go one by one, or all of one person', () => {
    writeDraft('a', { x: '1' });
    writeDraft('b', { x: '2' });
    writeDraft('c', { x: '3' });
    discardDraft('a');
    expect(readDraft('a')).toBeNull();
    expect(readDraft('b')).toEqual({ x: '2' });
    discardDraftsOf('7');
    expect(readDraft('b')).toBeNull();
    expect(sessionStorage.getItem('CURRENT-USER-ID')).toBe('7');
  });

  it.each(['not json', '7', 'null', '{"x":1}'])('ignore %s in their place', (stored) => {
    sessionStorage.setItem('DRAFT:7:a', stored);
    expect(Object.keys(readDraft('a') ?? {})).toEqual([]);
  });
});
