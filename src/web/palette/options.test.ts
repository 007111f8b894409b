import { describe, expect, it } from 'vitest';
import { toFoundCourse } from '../courses/course-search.ts';
import { foundCourses, foundOptions, screenOption, studentOption } from './options.ts';
import { idIn, placeOf, screensFor } from './places.ts';

const labels = (options: readonly { label: string }[]) => options.map(({ label }) => label);

describe('what the palette finds', () => {
  it('are screens by the beginnings of their words, and only those that one may use', () => {
    const all = screensFor(true).map(screenOption);
    expect(labels(foundOptions(all, 'stu'))).toEqual(['Students', 'Create New Entry']);
    expect(labels(foundOptions(all, 'new cou'))).toEqual(['Create New Course']);
    expect(labels(foundOptions(all, 'tudents'))).toEqual([]);
    expect(labels(foundOptions(screensFor(false).map(screenOption), 'new'))).toEqual([]);
  });

  it('are courses, first those whose code or number begins as typed, five at most', () => {
    const course = (course_id: number, course_code: string, course_name: string) => ({
      ...{ course_id, course_code, course_name, course_description: null },
      ...{ average: null, std_dev: null, marks_count: 0, histogram: [] },
    });
    const courses = [
      course(1, 'CE-101', 'Ethics of ME'),
      course(2, 'ME-7', 'Statics'),
      course(3, 'EE-1', 'Fields'),
    ];
    expect(labels(foundCourses(courses.map(toFoundCourse), 'me'))).toEqual(['Statics', 'Ethics of ME']);
    const many = Array.from({ length: 9 }, (_, i) => course(i + 1, `ME-${i}`, 'Statics'));
    expect(foundCourses(many.map(toFoundCourse), 'me')).toHaveLength(5);
  });

  it('are students, who say what they were found by where name and ID do not', () => {
    const student = {
      ...{ id: '409318', first_name: 'Karim', last_name: 'Hunzai', dob: '2004-02-11', gender: null },
      ...({
        department: 'ME',
        degree: '45',
        syn: 'C',
        current_sem: 4,
        fsc_marks: 0.8,
        matric_marks: 0.8,
      } as const),
      ...{ phone_number: '0300-5550123', cgpa: null, is_complete: true },
      ...{ father_name: 'Ali Hunzai', father_phone: '0301-7770000' },
    };
    const detail = (query: string) => studentOption(student, query).detail;
    expect(detail('hunz 4093')).toBe('409318, ME-45-C');
    expect(detail('karim ali')).toBe('409318, ME-45-C, father Ali Hunzai');
    expect(detail('03005550123')).toBe('409318, ME-45-C, 0300-5550123');
    expect(detail('0301')).toBe('409318, ME-45-C, 0301-7770000');
  });
});

describe('a place', () => {
  it('is a screen, or a student or course with all its pages', () => {
    expect(placeOf('/students/')).toBe('/students');
    expect(placeOf('/students/create')).toBe('/students/create');
    expect(placeOf('/students/A%2F1/family/edit')).toBe('/students/A%2F1');
    expect(placeOf('/courses/12/edit')).toBe('/courses/12');
    expect(placeOf('/someshit')).toBeNull();
  });

  it('names the student or course it is of', () => {
    expect(idIn('/students/A%2F1', 'students')).toBe('A/1');
    expect(idIn('/students/create', 'students')).toBeNull();
    expect(idIn('/students/%', 'students')).toBeNull();
    expect(idIn('/courses/12', 'students')).toBeNull();
    expect(idIn('/courses/12', 'courses')).toBe('12');
  });
});
