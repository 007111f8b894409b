import { describe, expect, it } from 'vitest';
import { toSearchableCourse } from '../courses/course-search.ts';
import { matchingCourses, matchingOptions, screenOption, studentOption } from './options.ts';
import { availableScreens, idFromPath, recentPagePath } from './screens.ts';

const labels = (options: readonly { label: string }[]) => options.map(({ label }) => label);

describe('the options of the palette', () => {
  it('include the allowed screens with words that start as typed', () => {
    const all = availableScreens(true).map(screenOption);
    expect(labels(matchingOptions(all, 'stu'))).toEqual([
      'Students',
      'Create New Entry',
      'Import students with families',
      'Bulk changes',
    ]);
    expect(labels(matchingOptions(all, 'new cou'))).toEqual(['Create New Course']);
    expect(labels(matchingOptions(all, 'tudents'))).toEqual([]);
    expect(labels(matchingOptions(availableScreens(false).map(screenOption), 'new'))).toEqual([]);
  });

  it('include up to five courses, those whose code or ID starts as typed first', () => {
    const course = (course_id: number, course_code: string, course_name: string) => ({
      ...{ course_id, course_code, course_name, course_description: null, credits: null },
      ...{ average: null, std_dev: null, marks_count: 0, histogram: [] },
    });
    const courses = [
      course(1, 'CE-101', 'Ethics of ME'),
      course(2, 'ME-7', 'Statics'),
      course(3, 'EE-1', 'Fields'),
    ];
    expect(labels(matchingCourses(courses.map(toSearchableCourse), 'me'))).toEqual([
      'Statics',
      'Ethics of ME',
    ]);
    for (const query of ['ce101', 'CE-101', 'ce 101', '1'])
      expect(labels(matchingCourses(courses.map(toSearchableCourse), query))[0], query).toBe('Ethics of ME');
    const many = Array.from({ length: 9 }, (_, i) => course(i + 1, `ME-${i}`, 'Statics'));
    expect(matchingCourses(many.map(toSearchableCourse), 'me')).toHaveLength(5);
  });

  it('name the matched field of a student if neither name nor ID matched', () => {
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
      ...{ phone_number: '0300-5550123', cgpa: null, cgpa_semester: null, final_cgpa: null },
      former_ids: ['900050'],
      ...({ is_complete: true, status: 'active', status_date: null, standing: null } as const),
      ...{ father_name: 'Ali Hunzai', father_phone: '0301-7770000' },
    };
    const detail = (query: string) => studentOption(student, query).detail;
    expect(detail('hunz 4093')).toBe('409318, ME-45-C');
    expect(detail('karim ali')).toBe('409318, ME-45-C, father Ali Hunzai');
    expect(detail('03005550123')).toBe('409318, ME-45-C, 0300-5550123');
    expect(detail('900050')).toBe('409318, ME-45-C, formerly 900050');
    expect(detail('0301')).toBe('409318, ME-45-C, 0301-7770000');
  });
});

describe('recent pages', () => {
  it('are screens, or the main page of a student or course', () => {
    expect(recentPagePath('/students/')).toBe('/students');
    expect(recentPagePath('/students/create')).toBe('/students/create');
    expect(recentPagePath('/students/A%2F1/family/edit')).toBe('/students/A%2F1');
    expect(recentPagePath('/courses/12/edit')).toBe('/courses/12');
    expect(recentPagePath('/someshit')).toBeNull();
  });

  it('contain the ID of the student or course', () => {
    expect(idFromPath('/students/A%2F1', 'students')).toBe('A/1');
    expect(idFromPath('/students/create', 'students')).toBeNull();
    expect(idFromPath('/students/%', 'students')).toBeNull();
    expect(idFromPath('/courses/12', 'students')).toBeNull();
    expect(idFromPath('/courses/12', 'courses')).toBe('12');
  });
});
