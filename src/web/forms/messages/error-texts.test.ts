import { describe, expect, it } from 'vitest';
import { displayErrorText, displayErrorTexts } from './error-texts.ts';

describe('displayErrorText', () => {
  // Covers 5.17, 5.21, 5.22, 5.23, 5.24, 5.25
  it.each([
    ['first_name', 'The first name field is required.', 'Required'],
    ['id', 'The id field is required.', 'Required'],
    ['dob', 'The dob field is required.', 'Required'],
    ['father_name', 'The father name field is required.', 'Required'],
    ['fsc_year', 'The fsc year field is required.', 'Required.'],
    ['fsc_div', 'The fsc div field is required.', 'Required.'],
    ['matric_year', 'The matric year field is required.', 'Required.'],
    ['matric_div', 'The matric div field is required.', 'Required.'],
    ['fsc_marks', 'The fsc marks field is required.', 'Required.'],
    ['matric_marks', 'The matric marks field is required.', 'Required.'],
  ])('says that %s is required', (field, text, shown) => {
    expect(displayErrorText(field, text)).toBe(shown);
  });

  // Covers 5.21
  it('adds the range for invalid school marks', () => {
    const text = 'The fsc marks must be 100 to 1100 with at most two decimals.';
    expect(displayErrorText('fsc_marks', text)).toBe('Required. Marks are 100 to 1100.');
  });

  // Covers 5.18
  it.each([
    ['email', 'The email has already been taken.', 'Already taken'],
    ['id', 'The id has already been taken.', 'The registration number has already been taken.'],
    ['course_id', 'The id has already been taken.', 'The id has already been taken.'],
  ])('shortens the text of a taken email only: %s', (field, text, shown) => {
    expect(displayErrorText(field, text)).toBe(shown);
  });

  // Covers 5.19
  it('shows a password mismatch in full', () => {
    const text = 'The password confirmation does not match.';
    expect(displayErrorText('password', text)).toBe(text);
  });

  // Covers 5.26, 5.27, 5.28, 5.29, 5.30, 5.32, 5.33, 5.34, 8.1
  it.each([
    [
      'dob',
      'The dob must be a date such as 2005-03-14.',
      'The date of birth must be a date such as 2005-03-14.',
    ],
    ['id', 'The id is invalid.', 'The registration number is invalid.'],
    ['img', 'The img field must be an image.', 'The student portrait must be an image.'],
    ['syn', 'The syn must be one of A, B, C.', 'The syndicate must be one of A, B, C.'],
    [
      'current_sem',
      'The current sem must be a whole number from 1 to 8.',
      'The semester must be a whole number from 1 to 8.',
    ],
    ['fsc_year', 'The fsc year must be a year.', 'The FSC passing year must be a year.'],
    ['fsc_div', 'The fsc div must be 1.', 'The FSC division must be 1.'],
    ['matric_year', 'The matric year must be a year.', 'The Matric passing year must be a year.'],
    ['matric_div', 'The matric div must be 1.', 'The Matric division must be 1.'],
    [
      'starts_on',
      'The starts on must be a date such as 2005-03-14.',
      'The start must be a date such as 2005-03-14.',
    ],
    ['ends_on', 'The ends on must not be before 1900.', 'The end must not be before 1900.'],
    ['cgpa_below', 'The cgpa below must be 0 to 4.', '“CGPA below” must be 0 to 4.'],
    ['fell_by', 'The fell by must be 0 to 4.', '“Fell by at least” must be 0 to 4.'],
    ['father_name', 'The father name field must be text.', "Father's name must be text."],
    ['father_occupation', 'The father occupation must be text.', "Father's occupation must be text."],
    ['mother_name', 'The mother name field must be text.', "Mother's name must be text."],
    ['mother_occupation', 'The mother occupation field must be text.', "Mother's occupation must be text."],
    ['father_phone', 'The father phone field must be text.', "Father's phone must be text."],
    ['mother_phone', 'The mother phone field must be text.', "Mother's phone must be text."],
    ['home_phone', 'The home phone field must be text.', 'Home phone must be text.'],
    [
      'number_siblings',
      'The number siblings must be a whole number of at least 0.',
      'The number of siblings must be a whole number of at least 0.',
    ],
  ])('rewrites the words of %s', (field, text, shown) => {
    expect(displayErrorText(field, text)).toBe(shown);
  });

  // Covers 5.31
  it('replaces whole words only', () => {
    expect(displayErrorText('id', 'The value is invalid.')).toBe('The value is invalid.');
    expect(displayErrorText('syn', 'The synopsis is too long.')).toBe('The synopsis is too long.');
    expect(displayErrorText('fsc_div', 'The fsc dividend is 1.')).toBe('The fsc dividend is 1.');
  });

  it('keeps the ids of courses and subjects', () => {
    const text = 'The subject 1 id must be the id of a course.';
    expect(displayErrorText('subject_1_id', text)).toBe(text);
  });

  it('shows course marks in full', () => {
    const text = 'The marks field is required.';
    expect(displayErrorText('marks', text)).toBe(text);
  });
});

describe('displayErrorTexts', () => {
  // Covers 3.46, 5.3
  it('returns the first text of each field', () => {
    expect(displayErrorTexts({ name: ['The name field is required.', 'Other.'], email: [] })).toEqual({
      name: 'Required',
    });
  });
});
