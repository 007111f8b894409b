import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeXlsx } from 'hucre';
import type { Course } from '../../../src/contract/courses.ts';
import { aCourse } from '../../support/records.ts';
import { type Case, type Context, input } from '../case.ts';
import { button, css } from '../page/tab.ts';

/** Waits until a course has so many marks. */
const untilMarks = ({ tab, admin }: Context, { course_id }: Pick<Course, 'course_id'>, count: number) =>
  tab.wait(`the course has ${count} marks`, async () => {
    const courses = await admin.get<Course[]>('/api/courses');
    return courses.find((course) => course.course_id === course_id)?.marks_count === count;
  });

/**
 * Letters in a field for a number are refused there, what was typed outlives a stopped server, and marks come from a file of text
 * and from a workbook.
 */
export const courses: Case = {
  name: 'courses',
  run: async (context) => {
    const { tab, site, downloads, must } = context;
    const course = aCourse();
    const folder = path.dirname(downloads);
    const [text, workbook] = ['csv', 'xlsx'].map((ending) =>
      path.join(folder, `marks-${course.course_id}.${ending}`),
    ) as [string, string];
    await writeFile(text, 'Roll No,Marks\n1,55.5\n2,66\n');
    const rows = [
      ['Roll No', 'Marks'],
      [1, 55.5],
      [2, 66],
      [3, 77],
    ];
    await writeFile(workbook, await writeXlsx({ sheets: [{ name: 'Section A', rows }] }));
    const values = () =>
      tab.run(() =>
        ['course_id', 'course_code', 'course_name'].map(
          (name) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value,
        ),
      );
    const typed = [String(course.course_id), course.course_code, course.course_name];

    await tab.follow('/courses/create');
    await tab.fill(input('course_id'), String(course.course_id));
    await tab.fill(input('course_code'), course.course_code);
    await tab.fill(input('course_name'), course.course_name);
    await tab.fill(input('credits'), '3-');
    await tab.chooseFile('input[type="file"]', text);
    await tab.shows('2 marks found');
    await tab.click(button('Create Entry'));
    await tab.shows('must be a number');
    must(
      (await tab.run(() => document.querySelectorAll('[aria-invalid="true"]').length)) === 1,
      'not one field is refused',
    );
    must((await values()).join() === typed.join(), `a refusal left ${await values()}`);
    await tab.fill(input('credits'), '3');

    await site.stop();
    try {
      await tab.click(button('Create Entry'));
      await tab.shows('The server could not be reached. What you typed is kept.');
      must((await values()).join() === typed.join(), `without a server there is ${await values()}`);
      await tab.shows(path.basename(text));
    } finally {
      await site.restart();
    }
    await tab.click(button('Create Entry'));
    await tab.untilPath(/^\/courses(\?|$)/);
    await untilMarks(context, course, 2);

    await tab.follow(`/courses/${course.course_id}/edit`);
    await tab.chooseFile('input[type="file"]', workbook);
    await tab.shows('3 marks found');
    await tab.click(button('Update Entry'));
    await tab.untilPath(new RegExp(`/courses/${course.course_id}$`));
    await untilMarks(context, course, 3);
    await tab.has(css('[aria-label*="histogram: "]'));
  },
};
