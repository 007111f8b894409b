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
    ['Computer Programming', 'Computer Programing'],
    ['Calculus I', 'Calclus I'],
    ['Probability and Statistics', 'Probablity & Statistics'],
    ['Islamiyat', 'Islamiat'],
    ['Environmental Science', 'Enviromental Science'],
    ['Electronic Circuits', 'Elektronic Circuits'],
    ['Data Structures', 'Data Strctures'],
    ['Modelling and Simulation', 'Modeling and Simulation'],
    ['Object Oriented Programming', 'OOP (Lab)'],
    ['Object Oriented Programming Lab', 'OOP Lab'],
    ['Digital Logic Design', 'DLD Theory'],
    ['Pakistan Studies', 'Pak Study'],
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
    ['Microeconomics', 'Macroeconomics'],
    ['Micro Economics', 'Macro Economics'],
    ['Object Oriented Programming', 'OS Lab'],
    ['Digital Logic Design Lab', 'OOP Lab'],
  ])('tells “%s” from “%s”', (one, other) => {
    expect([isSameCourseTitle(one, other), isSameCourseTitle(other, one)]).toEqual([false, false]);
  });
});
