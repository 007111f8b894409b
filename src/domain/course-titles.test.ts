import { describe, expect, test } from 'vitest';
import { isSameCourseTitle } from './course-titles.ts';

describe('isSameCourseTitle', () => {
  test.each([
    ['Calculus', ' calculus '],
    ['Calculus & Analytical Geometry', 'Calculus and Analytic Geometry'],
    ['Engineering Mechanics', 'Engg Mech'],
    ['Introduction to Programming', 'Programming'],
    ['Object Oriented Programming', 'OOP'],
    ['Calculus II', 'Calculus-2'],
    ['Calculus I', 'Calculus'],
    ['Applied Physics (Lab)', 'Physics Lab'],
  ])('takes “%s” and “%s” for one course', (one, other) => {
    expect([isSameCourseTitle(one, other), isSameCourseTitle(other, one)]).toEqual([true, true]);
  });

  test.each([
    ['Fluid Mechanics', 'Mechanics of Materials'],
    ['Robotics', 'Technical Writing'],
    ['Calculus I', 'Calculus II'],
    ['Data Structures', 'Database Systems'],
    ['Physics', 'Chemistry'],
    ['Statics', 'Statistics'],
  ])('tells “%s” from “%s”', (one, other) => {
    expect([isSameCourseTitle(one, other), isSameCourseTitle(other, one)]).toEqual([false, false]);
  });
});
