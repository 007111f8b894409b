import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StudentBase } from '../../../src/contract/students/students.ts';
import { aCourse, unique } from '../../support/records.ts';
import type { Case, Context } from '../case.ts';
import { makeRecord } from '../faculty.ts';
import { button, css, part } from '../page/tab.ts';

/** Waits for a file in the folder of downloads. */
async function untilSaved({ tab, downloads }: Context, pattern: RegExp): Promise<string> {
  return tab.wait(`a file like ${pattern} is saved`, async () => {
    const names = await readdir(downloads).catch(() => []);
    const name = names.find((one) => pattern.test(one));
    return name === undefined ? '' : readFile(path.join(downloads, name), 'latin1');
  });
}

/** A transcript is issued, saved and stands in the register. */
export const issuing: Case = {
  name: 'issuing',
  run: async (context) => {
    const { tab, admin, must } = context;
    await admin.nameInstitution();
    const { id } = await makeRecord(context);
    await tab.follow(`/students/${id}`);
    await tab.click(button('Issue documents'));
    await tab.click(button('Issue'));
    await tab.shows('1 transcript issued.');
    await tab.click(button('Save PDF'));
    const file = await untilSaved(context, new RegExp(`^transcript-${id}-.*\\.pdf$`));
    must(file.startsWith('%PDF-'), 'the file is no PDF');
    await tab.press('Escape');
    await tab.hasNot(css('dialog:modal'));
    must((await tab.focused()) === 'Issue documents', `the focus is on “${await tab.focused()}”`);
    await tab.follow(`/documents?student_id=${id}`);
    await tab.shows('Valid');
  },
};

/** The students of a view are exported under the name of the day, and Ctrl+P prints them all. */
export const exporting: Case = {
  name: 'export',
  run: async (context) => {
    const { tab, must } = context;
    const { id } = await makeRecord(context);
    await tab.follow(`/students?q=${id}`);
    await tab.click(button('Other formats'));
    await tab.click(part(button('Plain text')));
    const file = await untilSaved(context, /^students-\d{4}-\d\d-\d\d\.csv$/);
    must(file.includes(id), 'the file does not have the student');
    await tab.press('Control+p');
    await tab.untilPath(/^\/students\/print/);
    await tab.until('the list is printed', () => window.probe.printed > 0);
    must((await tab.run(() => window.probe.printed)) === 1, 'the list is printed more than once');
    await tab.shows(id);
  },
};

/** A file is chosen, looked at and imported. */
export const importing: Case = {
  name: 'import',
  run: async (context) => {
    const { tab, admin, downloads } = context;
    const code = unique();
    const file = path.join(path.dirname(downloads), `courses-${code}.csv`);
    const { course_id: number } = aCourse();
    await writeFile(
      file,
      `Course ID,Course code,Title\n${number},${code},Statics\n${number + 1},${code}-2,Dynamics\n`,
    );
    await tab.follow('/imports/new?kind=courses');
    await tab.chooseFile('input[type="file"]', file);
    await tab.click(button('Preview 2 rows'));
    await tab.click(button('Import 2 rows'));
    await tab.wait('the courses are stored', async () => {
      const courses = await admin.get<{ course_id: number }[]>('/api/courses');
      return courses.some(({ course_id }) => course_id === number + 1);
    });
    await tab.until('the page says so', () => window.probe.text().includes('Undo'));
  },
};

/** An earlier state is looked at and restored. */
export const restoring: Case = {
  name: 'restore',
  run: async (context) => {
    const { tab, admin } = context;
    const { id } = await makeRecord(context);
    await tab.follow(`/students/${id}/history`);
    await tab.click(part(button('Undo or restore')));
    await tab.shows('0300 1234567');
    await tab.press('Escape');
    await tab.hasNot(css('dialog:modal'));
    await tab.click(part(button('Undo or restore')));
    await tab.click(button('Restore'));
    await tab.hasNot(css('dialog:modal'));
    await tab.wait('the number is as before', async () => {
      const { student } = await admin.get<StudentBase>(`/api/students/${id}/base`);
      return student.phone_number !== '0300 1234567';
    });
  },
};
