import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../grading/policy.ts';
import { attendanceFault, attendanceFigures, neededToAttend } from './attendance.ts';

const rules = DEFAULT_RULES;
const joint = { ...rules, attendance_separate: false };
const counts = (attended: number, held: number) => ({ held, attended });

describe('the attendance of a student', () => {
  test('is compared as printed: 149 of 199 is 74.87 and short, though it rounds to 75', () => {
    expect(attendanceFigures({ theory: counts(149, 199), lab: null }, rules)).toEqual({
      theory: { held: 199, attended: 149, percent: 74.87 },
      lab: null,
      percent: null,
      short: true,
      proposed: null,
    });
  });

  test.each([
    [74.99, true],
    [75, false],
  ])('of %d percent is short: %s', (percent, short) => {
    expect(attendanceFigures({ theory: { percent }, lab: null }, rules)).toMatchObject({
      percent: null,
      short,
    });
  });

  test('judges theory and lab each, or their sums', () => {
    const attendance = { theory: counts(40, 45), lab: counts(10, 15) };
    expect(attendanceFigures(attendance, rules)).toMatchObject({
      theory: { percent: 88.89 },
      lab: { percent: 66.67 },
      percent: 83.33,
      short: true,
    });
    expect(attendanceFigures(attendance, joint)).toMatchObject({ percent: 83.33, short: false });
  });

  test('judges each part where one has a percentage only', () => {
    const attendance = { theory: counts(40, 45), lab: { percent: 66.67 } };
    expect(attendanceFigures(attendance, joint)).toMatchObject({ percent: null, short: true });
  });

  test('has no figure where nothing was held, and is not short then', () => {
    expect(attendanceFigures({ theory: counts(0, 0), lab: counts(0, 0) }, joint)).toEqual({
      theory: { held: 0, attended: 0, percent: null },
      lab: { held: 0, attended: 0, percent: null },
      percent: null,
      short: false,
      proposed: null,
    });
  });

  test.each([
    ['F', 'barred'],
    ['withdrawn', 'withdrawn'],
    ['none', null],
  ] as const)('proposes by the effect %s the status %s for a short row', (attendance_effect, proposed) => {
    const short = { theory: counts(1, 2), lab: null };
    const enough = { theory: counts(2, 2), lab: null };
    expect(attendanceFigures(short, { ...rules, attendance_effect }).proposed).toBe(proposed);
    expect(attendanceFigures(enough, { ...rules, attendance_effect }).proposed).toBeNull();
  });

  test.each([
    [39, 30],
    [43, 33],
    [45, 34],
    [0, 0],
    [1, 1],
  ])('needs of %d classes %d', (held, needed) => {
    expect(neededToAttend({ held }, rules)).toBe(needed);
  });

  test('needs the least count whose printed percentage is enough, whatever was held', () => {
    for (let held = 1; held <= 500; held += 1) {
      const needed = neededToAttend({ held }, rules) ?? -1;
      const short = (attended: number) =>
        attendanceFigures({ theory: counts(attended, held), lab: null }, rules).short;
      expect(short(needed)).toBe(false);
      expect(short(needed - 1)).toBe(true);
    }
  });

  test.each([
    [{ held: 4, attended: 5 }, 'attended'],
    [{ held: 4, attended: 3, percent: 70 }, 'percent'],
    [{ held: 0, attended: 0, percent: 0 }, 'percent'],
    [{ held: 4 }, 'attended'],
    [{ attended: 4 }, 'held'],
    [{}, 'held'],
    [{ held: 3, attended: 2, percent: 66.67 }, undefined],
    [{ percent: 80 }, undefined],
  ])('finds the fault of %j in: %s', (sent, field) => {
    expect(attendanceFault(sent)?.field).toBe(field);
  });
});
