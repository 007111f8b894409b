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
    ['Kamran Bashir', 'Kamraan Basheer'],
    ['Muhammad Ali', 'Muhammad Usman'],
    ['Ali Ali', 'Ali Khan'],
    ['عائشہ خان', 'Ayesha Khan'],
  ])('tells “%s” from “%s”', (one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false]);
  });
});

describe('isOtherPerson', () => {
  const amina = { first_name: 'Amina', last_name: 'Example', dob: '2003-04-05' };

  test.each([
    ['another name and date', { first_name: 'Usman', last_name: 'Sample', dob: '2004-11-30' }],
    ['another first name and date', { first_name: 'Usman', dob: '2004-11-30' }],
    ['another last name and date', { last_name: 'Sample', dob: '2004-11-30' }],
    ['another name without a date', { first_name: 'Usman', last_name: 'Sample', dob: null }],
  ])('says so of %s', (_, changes) => {
    expect(isOtherPerson(amina, { ...amina, ...changes })).toBe(true);
  });

  test.each([
    ['a corrected spelling, with another date', { first_name: 'Amine', last_name: 'Exemple', dob: null }],
    ['a corrected letter and date', { last_name: 'Exemple', dob: '2003-05-04' }],
    ['another last name', { last_name: 'Sample' }],
    ['another date', { dob: '2004-11-30' }],
    [
      'the names in the other order, and another date',
      { first_name: 'Example', last_name: 'Amina', dob: '2004-11-30' },
    ],
    ['another last name without a date', { last_name: 'Sample', dob: null }],
  ])('does not say so of %s', (_, changes) => {
    expect(isOtherPerson(amina, { ...amina, ...changes })).toBe(false);
  });
});
