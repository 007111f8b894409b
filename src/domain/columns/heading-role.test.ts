import { describe, expect, it } from 'vitest';
import { assessmentName, type HeadingRole, headingRole } from './heading-role.ts';

const HEADINGS: Readonly<Record<HeadingRole, readonly string[]>> = {
  marks: ['Marks', ' MARKS '],
  obtained: [
    ...[
      'Obtained',
      'Obtained Marks',
      'Marks Obtained',
      'Marks_obtained',
      'Obt.',
      'Obt. Marks',
      'Marks Obt',
      'Secured',
    ],
    ...[
      'Marks Secured',
      'Scored',
      'Result',
      'Total Obtained',
      'Marks Obtained (out of 100)',
      'O.M.',
      'Erreicht',
    ],
    ...['Note obtenue', 'حاصل کردہ نمبر'],
  ],
  score: [
    ...[
      'Mark',
      'Score',
      'Scores',
      'Points',
      'Grade',
      'Grade/10.00',
      'Marks (100)',
      'Student score',
      'Final Score',
    ],
    ...[
      'Theory Marks',
      'Lab Marks',
      'Punkte',
      'Note',
      'Note sur 20',
      'Nota',
      'Calificación',
      'Puntuación',
      'Voto',
      'نمبر',
    ],
  ],
  assessment: [
    ...[
      'Quiz 1',
      'Quiz No. 2',
      'OHT 1',
      'Mid',
      'Mid (out of 50)',
      'Midterm',
      'Final Exam (4411)',
      'Assignment: One',
    ],
    ...[
      'Lab',
      'Theory',
      'Mid Term',
      'Class Test',
      'Klausur',
      'Prüfung',
      'Quiz: Midterm (Real)',
      'Q. 1 /1.00',
    ],
  ],
  total: [
    ...['Total', 'TOTAL (100)', 'Total (out of 100)', 'Total Marks', 'totalMarks', 'Grand Total', 'T.M.'],
    ...['Course total (Real)', 'Gesamtpunkte', 'Summe', 'کل نمبر'],
  ],
  percentage: ['Percentage', '%', '%age', 'Marks %', 'Marks (%)', 'Course total (Percentage)', 'Prozent'],
  full: [
    ...[
      'Max',
      'Max.',
      'Max Marks',
      'Maximum',
      'Maximum Marks',
      'Full Marks',
      'Out of',
      'Marks out of',
      'Possible',
    ],
    ...['Points Possible', 'M.M.', 'MM', 'Max 50', 'Max score', 'Máximo', 'Barème', 'Maximalpunktzahl'],
  ],
  id: [
    ...[
      'Roll No',
      'roll_no',
      'RollNo',
      'ROLLNO',
      'Reg. No.',
      'Registration number',
      'Student ID',
      'id',
      'CMS',
      'CMS ID',
    ],
    ...[
      'ID number',
      'SIS User ID',
      'SIS Login ID',
      'Username',
      'Student No',
      'Roll #',
      'Matrikelnummer',
      'رول نمبر',
    ],
  ],
  serial: [
    'S.No',
    'S. No.',
    'Sr',
    'Sr #',
    'Sr.No',
    'Sr. No.',
    'Serial',
    'Serial No',
    '#',
    'No.',
    'Sl. No',
    'Seat No',
    '№',
  ],
  name: [
    ...[
      'Name',
      'Student',
      'Student Name',
      'Full name',
      'First name',
      'Surname',
      'Name of Student',
      'Nachname',
      'Nom',
      'نام',
    ],
  ],
  other: [
    ...[
      'Remarks',
      'Section',
      'Email address',
      'Department',
      'GPA',
      'Grade Points',
      'Marks in words',
      'Passing Marks',
    ],
    ...[
      'Minimum',
      'Weight',
      'Father Name',
      'Last downloaded from this course',
      'Status',
      'Course Code',
      'Letter Grade',
    ],
    ...['Course total (Letter)', 'Credit Hours', 'Phone', 'Rank', 'Gender'],
  ],
  unknown: ['Foo', 'Section A1b', '', '???'].filter((heading) => heading !== 'Section A1b'),
};

describe('headingRole', () => {
  const table = Object.entries(HEADINGS).flatMap(([role, headings]) =>
    headings.map((heading) => [role, heading]),
  );
  it.each(table)('answers %s for “%s”', (role, heading) => {
    expect(headingRole(heading)).toBe(role);
  });
});

describe('assessmentName', () => {
  it.each([
    ['oht1', ['OHT 1', 'oht-1', 'OHT1', 'OHT 1 (out of 50)', 'OHT 1 marks', 'OHT 1 / 50']],
    ['mid', ['Mid', 'Mid\n(out of 50)', 'Mid Marks', 'MID [50]']],
    ['total', ['Total', 'Total (100)']],
  ])('is %s for each of %j', (name, headings) => {
    expect(headings.map(assessmentName)).toEqual(headings.map(() => name));
  });
});
