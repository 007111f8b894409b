import { describe, expect, test } from 'vitest';
import { isNameless, leftOutRow, leftOutText } from './left-out-rows.ts';

describe('leftOutRow', () => {
  test.each([
    ['full-marks', ['Points Possible', '', '100.00', '(read only)']],
    ['full-marks', ['Max', '90']],
    ['full-marks', ['Out of 50', '50']],
    ['full-marks', ['Total Marks = 50', '50']],
    ['full-marks', ['Max. Marks (50)', '50']],
    ['full-marks', ['Points', '', '100']],
    ['full-marks', ['', 'MaxMarks', '100']],
    ['summary', ['Min', '10']],
    ['summary', ['Avg.', '50']],
    ['summary', ['', 'Average Marks', '69']],
    ['summary', ['', 'No. of students', '2']],
    ['summary', ['', 'Std Deviation', '2']],
    ['summary', ['Weightage', '30']],
    ['summary', ['Pass %', '50']],
    ['summary', ['Pass Percentage', '50']],
    ['summary', ['S.D.', '4']],
    ['summary', ['Avg(.)', '50']],
    ['summary', ['Total Absent', '2']],
    ['summary', ['# of students', '2']],
    ['summary', ['Count', '2']],
    ['summary', ['Total Students', '1']],
    ['summary', ['Total: 1', '1']],
    ['summary', ['31', 'Total', '600']],
    ['test-student', ['Student, Test', '3', '0.00']],
    ['test-student', ['3', 'Test Student', '0.00']],
    ['test-student', ['Test', 'Student', '0.00']],
    ['notes', ['', 'Manual Posting', '(read only)']],
  ])('answers %s for %j', (why, cells) => {
    expect(leftOutRow(cells)).toBe(why);
  });

  test.each([
    [['1', '100', 'Full marks']],
    [['3', '72', 'Maximum']],
    [['EE-48-1', 'Ali Khan', '67', 'Test student']],
    [['1', 'Mark Anthony', '67', '100']],
    [['Marks', '67']],
    [['3', 'Max', '66']],
    [['Max', 'Weber', '66']],
    [['Massimo', '66']],
    [['Total Recall', '66']],
    [['Absent', 'Ali']],
    [['Dev', '66']],
    [['S D Khan', '66']],
    [['Muted', 'Ali']],
    [['', ' ']],
  ])('takes %j for that of a student', (cells) => {
    expect(leftOutRow(cells)).toBeUndefined();
  });
});

describe('isNameless', () => {
  test('needs columns of names or IDs, all of which are blank', () => {
    expect(isNameless(['', ' ', '69'], [0, 1])).toBe(true);
    expect(isNameless(['', '69'], [0, 3])).toBe(true);
    expect(isNameless(['', 'Ali', '69'], [0, 1])).toBe(false);
    expect(isNameless(['69'], [])).toBe(false);
  });
});

describe('leftOutText', () => {
  test('names the row by what it says', () => {
    expect(leftOutText(['31', 'Total', '600'], 'summary')).toBe('Total: a summary, not a student');
    expect(leftOutText(['', '69'], 'nameless')).toBe(
      '69: without the ID or name that other rows have, not a student',
    );
  });
});
