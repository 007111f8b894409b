import { describe, expect, test } from 'vitest';
import type { Scheme } from './scheme.ts';
import { changeScheme, NO_CHANGES, redoChange, undoChange } from './scheme-history.ts';

const withA = (a: number): Scheme => ({
  method: 'absolute',
  params: {},
  step: 0.01,
  boundaries: [a, 80, 75, 70, 65, 60, 50],
});
const STORED = withA(85);

describe('the changes of a scheme', () => {
  test('are undone one by one, down to what is stored', () => {
    const once = changeScheme(NO_CHANGES, STORED, withA(86), null);
    const twice = changeScheme(once, STORED, withA(87), null);
    expect(undoChange(twice).present).toEqual(withA(86));
    expect(undoChange(undoChange(twice)).present).toEqual(STORED);
    expect(undoChange(undoChange(undoChange(twice))).present).toEqual(STORED);
  });

  test('come back when redone, until something else is changed', () => {
    const undone = undoChange(changeScheme(NO_CHANGES, STORED, withA(86), null));
    expect(redoChange(undone).present).toEqual(withA(86));
    const changed = changeScheme(undone, STORED, withA(84), null);
    expect(redoChange(changed).present).toEqual(withA(84));
  });

  test('of one drag are undone together', () => {
    const drag = [86, 87, 88].reduce(
      (history, a) => changeScheme(history, STORED, withA(a), 'drag 1'),
      NO_CHANGES,
    );
    const next = changeScheme(drag, STORED, withA(84), 'drag 2');
    expect(undoChange(next).present).toEqual(withA(88));
    expect(undoChange(undoChange(next)).present).toEqual(STORED);
  });

  test('that change nothing leave nothing to undo', () => {
    expect(changeScheme(NO_CHANGES, STORED, withA(85), 'drag 1').past).toEqual([]);
  });

  test('that begin with one that changes nothing are not part of those before', () => {
    const moves = [
      [86, 'drag 1'],
      [86, 'drag 2'],
      [87, 'drag 2'],
    ] as const;
    const history = moves.reduce(
      (before, [a, drag]) => changeScheme(before, STORED, withA(a), drag),
      NO_CHANGES,
    );
    expect(undoChange(history).present).toEqual(withA(86));
  });
});
