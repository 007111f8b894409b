import { describe, expect, test } from 'vitest';
import { isOtherPerson, isSameName } from './person-names.ts';

describe('isSameName', () => {
  test.each([
    ['Ayesha Khan', 'ayesha  KHAN'],
    ['Zoë Müller', 'Zoe Muller'],
    ['Ali Raza Khan', 'Khan, Ali Raza'],
    ['Noor-ul-Huda', 'Noorulhuda'],
    ['Abdul Rehman Baig', 'Abdulrehman Baig'],
    ['Muhammad Ali Khan', 'M. Ali Khan'],
    ['Muhammad Ali Khan', 'Ali Khan'],
    ['Ali Khan', 'Mr. Ali Khan s/o Imran Khan'],
    ['Ahsan Khan', 'Ahsaan Khan'],
    ['Kamran Akhtar', 'Kamran Akhter'],
    ['Muhammad Usman Siddiqui', 'Mohd. Osman Siddiqi'],
    ['Ali Khan', ' - '],
    ['عائشہ خان', 'Ayesha Khan'],
    ['Raza Khan', 'Reza Khan'],
    ['Sidra Khan', 'Sidrah Khan'],
    ['Zeeshan Khan', 'Zishan Khan'],
    ['Naeem Nasreen', 'Naim Nasrin'],
    ['Tanveer Khan', 'Tanvir Khan'],
    ['Shahzaib Khan', 'Shahzeb Khan'],
    ['Kamran Bashir', 'Kamraan Basheer'],
    ['Abdurrehman Khan', 'Abdul Rehman Khan'],
    ['Umer Farooq', 'Omar Faruq'],
    ['Noor ul Ain', 'Noorulain'],
  ])('takes “%s” and “%s” for one person', (one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true]);
  });

  test.each([
    ['Amina Example', 'Usman Sample'],
    ['Ali Khan', 'Usman Khan'],
    ['Sara Khan', 'Zara Khan'],
    ['Salma Khan', 'Salman Khan'],
    ['Ali Khan', 'Adi Khan'],
    ['Hassan Raza', 'Hussain Raza'],
    ['Kamran Basir', 'Kamraan Basiir'],
    ['Muhammad Ali', 'Muhammad Usman'],
    ['Ali Ali', 'Ali Khan'],
    ['Sana Khan', 'Saba Khan'],
    ['Hina Khan', 'Hira Khan'],
    ['Nasir Khan', 'Nazir Khan'],
    ['Asad Khan', 'Ahad Khan'],
    ['Wajid Khan', 'Wahid Khan'],
    ['Saima Khan', 'Salma Khan'],
    ['Abdullah Khan', 'Abdul Rehman Khan'],
    ['عائشہ خان', 'فاطمہ خان'],
  ])('tells “%s” from “%s”', (one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false]);
  });
});

/** First and last name. */
function toNames(name: string) {
  const [first_name = '', last_name = ''] = name.split(' ');
  return { first_name, last_name };
}

describe('isOtherPerson', () => {
  const amina = { first_name: 'Amina', last_name: 'Example', dob: '2003-04-05' };

  test.each([
    ['another name and date', { first_name: 'Usman', last_name: 'Sample', dob: '2004-11-30' }],
    ['another first name and date', { first_name: 'Usman', dob: '2004-11-30' }],
    ['another last name and date', { last_name: 'Sample', dob: '2004-11-30' }],
    ['another name without a date', { first_name: 'Usman', last_name: 'Sample', dob: undefined }],
  ])('says so of %s', (_, changes) => {
    expect(isOtherPerson(amina, { ...amina, ...changes })).toBe(true);
  });

  test.each([
    ['a frequent first word', 'Muhammad Asad', 'Muhammad Faisal'],
    ['a frequent last name', 'Ayesha Khan', 'Usman Khan'],
    ['frequent words alone', 'Muhammad Ali', 'Syed Ahmad'],
  ])('says so of names without a date that have %s in common', (_, was, is) => {
    expect(isOtherPerson({ ...toNames(was), dob: '2003-04-05' }, toNames(is))).toBe(true);
  });

  test('does not say so of another last name beside a frequent first name', () => {
    expect(isOtherPerson({ ...toNames('Ali Khan'), dob: '2003-04-05' }, toNames('Ali Raza'))).toBe(false);
  });

  test('compares only the names that are given', () => {
    expect(isOtherPerson(amina, { first_name: 'Usman' })).toBe(true);
    expect(isOtherPerson(amina, { first_name: 'Usman', dob: '2004-11-30' })).toBe(true);
    expect(isOtherPerson(amina, { first_name: 'Ameena', dob: '2004-11-30' })).toBe(false);
    expect(isOtherPerson(amina, { last_name: 'Sample' })).toBe(false);
    expect(isOtherPerson(amina, { last_name: 'Sample', dob: '2004-11-30' })).toBe(true);
    expect(isOtherPerson(amina, { dob: '2004-11-30' })).toBe(false);
  });

  test.each([
    [
      'a corrected spelling, with another date',
      { first_name: 'Amine', last_name: 'Exemple', dob: undefined },
    ],
    ['a corrected letter and date', { last_name: 'Exemple', dob: '2003-05-04' }],
    ['another last name', { last_name: 'Sample' }],
    ['another date', { dob: '2004-11-30' }],
    [
      'the names in the other order, and another date',
      { first_name: 'Example', last_name: 'Amina', dob: '2004-11-30' },
    ],
    ['another last name without a date', { last_name: 'Sample', dob: undefined }],
  ])('does not say so of %s', (_, changes) => {
    expect(isOtherPerson(amina, { ...amina, ...changes })).toBe(false);
  });
});
