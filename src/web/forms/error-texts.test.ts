import { describe, expect, it } from 'vitest';
import { displayText, displayTexts } from './error-texts.ts';

describe('displayText', () => {
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
    expect(displayText(field, text)).toBe(shown);
  });

  it('adds the range to school marks that were given', () => {
    const text = 'The fsc marks must be 100 to 1100 with at most two decimals.';
    expect(displayText('fsc_marks', text)).toBe('Required. Marks are 100 to 1100.');
  });

  it.each([
    ['email', 'The email has already been taken.', 'Already taken'],
    ['id', 'The id has already been taken.', 'The registration number has already been taken.'],
    ['course_id', 'The id has already been taken.', 'The id has already been taken.'],
  ])('says in two words that an email is taken, and anything else in full: %s', (field, text, shown) => {
    expect(displayText(field, text)).toBe(shown);
  });

  it('shows the mismatch of passwords in full', () => {
    const text = 'The password confirmation does not match.';
    expect(displayText('password', text)).toBe(text);
  });

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
    expect(displayText(field, text)).toBe(shown);
  });

  it('changes whole words only', () => {
    expect(displayText('id', 'The value is invalid.')).toBe('The value is invalid.');
    expect(displayText('syn', 'The synopsis is too long.')).toBe('The synopsis is too long.');
    expect(displayText('fsc_div', 'The fsc dividend is 1.')).toBe('The fsc dividend is 1.');
  });

  it('leaves the ids of courses and subjects alone', () => {
    const text = 'The subject 1 id must be the id of a course.';
    expect(displayText('subject_1_id', text)).toBe(text);
  });

  it('shows course marks in full', () => {
    const text = 'The marks field is required.';
    expect(displayText('marks', text)).toBe(text);
  });
});

describe('displayTexts', () => {
  it('takes the first text of each field', () => {
    expect(displayTexts({ name: ['The name field is required.', 'Other.'], email: [] })).toEqual({
      name: 'Required',
    });
  });
});
