import { describe, expect, it } from 'vitest';
import { pastedRows } from './pasted-rows.ts';

describe('pasted rows', () => {
  it('leave an ordinary text alone', () => {
    expect(pastedRows('Signals and Systems')).toBeUndefined();
    expect(pastedRows('Signals and Systems\n')).toBeUndefined();
  });

  it('read title, ID, credit hours and grade between tabs', () => {
    expect(pastedRows('Physics\t1101\t3\tb+\r\nCalculus \t1102\t4\t4\r\n')).toEqual([
      { title: 'Physics', id: '1101', credit: '3', grade: 'B+' },
      { title: 'Calculus', id: '1102', credit: '4', grade: 'A' },
    ]);
  });

  it('read a list of titles', () => {
    expect(pastedRows('Physics\n\nCalculus')?.map((row) => row.title)).toEqual(['Physics', 'Calculus']);
  });

  it('skip a heading and leave an unknown grade open', () => {
    expect(pastedRows('Title\tID\tCredits\tGrade\nPhysics\t1101\t3\tE')).toEqual([
      { title: 'Physics', id: '1101', credit: '3', grade: '' },
    ]);
  });
});
