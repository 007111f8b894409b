import { describe, expect, it } from 'vitest';
import { parsePastedRows } from './pasted-rows.ts';

describe('parsing pasted rows', () => {
  it('ignores ordinary text', () => {
    expect(parsePastedRows('Signals and Systems')).toBeUndefined();
    expect(parsePastedRows('Signals and Systems\n')).toBeUndefined();
  });

  it('reads title, ID, credit hours and grade separated by tabs', () => {
    expect(parsePastedRows('Physics\t1101\t3\tb+\r\nCalculus \t1102\t4\t4\r\n')).toEqual([
      { title: 'Physics', id: '1101', credit: '3', grade: 'B+' },
      { title: 'Calculus', id: '1102', credit: '4', grade: 'A' },
    ]);
  });

  it('reads a list of titles', () => {
    expect(parsePastedRows('Physics\n\nCalculus')?.map((row) => row.title)).toEqual(['Physics', 'Calculus']);
  });

  it('skips a heading and keeps an unknown grade, so that it is refused', () => {
    expect(parsePastedRows('Title\tID\tCredits\tGrade\nPhysics\t1101\t3\tE')).toEqual([
      { title: 'Physics', id: '1101', credit: '3', grade: 'E' },
    ]);
  });
});
