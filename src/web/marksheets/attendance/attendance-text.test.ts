import { describe, expect, test } from 'vitest';
import {
  completeAttendance,
  readAttendance,
  shortenAttendance,
  toAttendanceText,
  toPart,
  usualHeld,
} from './attendance-text.ts';

describe('the text of an attendance', () => {
  test.each([
    ['22/30', '22/30'],
    [' 22 of 30 ', '22/30'],
    ['0/0', '0/0'],
    ['73.33 %', '73.33%'],
    ['73,5%', '73.5%'],
    ['', null],
  ])('reads %j as %j', (text, cell) => expect(readAttendance(text)).toEqual({ cell }));

  test.each([
    ['22', 'How many were held is not known. Press H, or type 22/30.'],
    ['31/30', '31 is over the 30 that were held.'],
    ['1/501', '501 is over 500 classes in a term.'],
    ['100.01 %', '100.01 % is over 100 %.'],
    ['73.333 %', '73.333 % has more than two decimals.'],
    ['A', '“A” is no attendance. Type how many classes were attended, 22/30 or 73.33 %.'],
  ])('refuses %j', (text, fault) => expect(readAttendance(text)).toEqual({ fault }));

  test('is completed with what was held, and shown without it', () => {
    expect(completeAttendance('022', 30)).toBe('22/30');
    expect(completeAttendance('22', null)).toBe('22');
    expect(completeAttendance('22/28', 30)).toBe('22/28');
    expect(shortenAttendance('22/30', 30)).toBe('22');
    expect(shortenAttendance('22/28', 30)).toBe('22/28');
    expect(shortenAttendance('73.5%', 30)).toBe('73.50 %');
  });

  test('is that of a stored part, and stands for one', () => {
    expect(toAttendanceText({ held: 30, attended: 22, percent: 73.33 })).toBe('22/30');
    expect(toAttendanceText({ held: null, attended: null, percent: 80.5 })).toBe('80.5%');
    expect(toAttendanceText(null)).toBeNull();
    expect(toPart('22/30')).toEqual({ attended: 22, held: 30 });
    expect(toPart('80.5%')).toEqual({ percent: 80.5 });
    expect(toPart(null)).toBeNull();
  });

  test('says how many were held by what most rows have', () => {
    expect(usualHeld(['22/30', '20/30', '10/28', '80%', null, 'x'])).toBe(30);
    expect(usualHeld(['22/30', '10/28'])).toBe(30);
    expect(usualHeld(['80%', null])).toBeNull();
  });
});
