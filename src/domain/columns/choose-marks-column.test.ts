import { describe, expect, it } from 'vitest';
import { chooseMarksColumn } from './choose-marks-column.ts';

/** A table with its headings above, as comma-separated lines. */
const choose = (...lines: readonly string[]) => {
  const [headings = [], ...rows] = lines.map((line) => line.split(','));
  return chooseMarksColumn(
    headings.map((heading, at) => ({ heading, samples: rows.map((row) => row[at] ?? '') })),
  );
};

describe('chooseMarksColumn', () => {
  it.each([
    [2, 'Roll No,Name,Obtained Marks,Total Marks', '1,A,67,100'],
    [3, 'Roll No,Name,Total Marks,Obtained', '1,A,100,67'],
    [2, 'Sr #,Max Marks,Secured', '1,100,67'],
    [1, 'Roll No,Score,Out of', '1,67,100'],
    [1, 'Roll No,Points,Possible', '1,67,100'],
    [1, 'S.No,Obt.,Full Marks,Percentage,Grade', '1,67,100,67%,B'],
    [2, 'Roll No,Maximum,Result', '1,100,67'],
    [1, 'Roll No,Grade/100.00', '1,67.00'],
    [1, 'Roll No,Percentage', '1,67'],
    [1, 'Name,Mid', 'Ali,-'],
    [2, 'Name,Section,Anything', 'Ali,A,67'],
    [3, 'نام,رول نمبر,کل نمبر,حاصل کردہ نمبر', 'علی,1,100,67'],
    [1, 'Name,Marks obtained,Seat', 'Ali,67%,4'],
    [1, 'Roll No,Total,Result', '1,67,Pass'],
    [2, 'First name,Surname,Quiz: Midterm (Real),Last downloaded from this course', 'A,B,67,1764252000'],
  ])('takes column %i of “%s”', (index, ...lines) => {
    expect(choose(...lines)).toEqual({ kind: 'one', index });
  });

  it.each([
    [[1, 2, 3], 'Roll No,Theory Marks,Lab Marks,Total', '1,50,20,70'],
    [[1, 2], 'Roll No,Quiz,Total', '1,18,20'],
    [[1, 2], 'Roll No,Score,Total', '1,18,20'],
    [[1, 2], 'Name,Foo,Bar', 'Ali,50,60'],
    [[1, 2], 'Name,Foo,Quiz', 'Ali,50,60'],
    [[1, 2], 'Roll No,Marks,Obtained', '1,100,67'],
    [[1, 2], 'Roll,Total Marks,Percentage', '1,100,67'],
    [[2, 4], 'Name,Max,Mid Obtained,Total,Final Obtained', 'Ali,30,20,30,25'],
  ])('leaves the choice between the columns %j of “%s”', (indexes, ...lines) => {
    expect(choose(...lines)).toEqual({ kind: 'several', indexes });
  });

  it.each([
    [[0], 'Roll No,Name', '1,Ali'],
    [[0], 'Roll No,Max Marks', '1,100'],
    [[1], 'Name,Out of 100', 'Ali,67'],
    [[2], 'Sr,Roll No,Age', '1,7,19'],
  ])('finds none that speaks of marks, but %j have numbers in “%s”', (indexes, ...lines) => {
    expect(choose(...lines)).toEqual({ kind: 'none', indexes });
  });
});
