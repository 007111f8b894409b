import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StudentBase } from '../../../src/contract/students/students.ts';
import { aCourse, unique } from '../../support/records.ts';
import { type Case, untilSaved } from '../case.ts';
import { makeRecord } from '../faculty.ts';
import { button, css, part } from '../page/tab.ts';

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

/** A file is dropped or chosen, looked at and imported. */
export const importing: Case = {
  name: 'import',
  run: async (context) => {
    const { tab, admin, downloads } = context;
    const code = unique();
    const name = `courses-${code}.csv`;
    const { course_id: number } = aCourse();
    const text = `Course ID,Course code,Title\n${number},${code},Statics\n${number + 1},${code}-2,Dynamics\n`;
    await tab.follow('/imports/new?kind=courses');
    await tab.dropFile(name, text);
    await tab.has(button('Preview 2 rows'));
    await tab.shows(name);
    const file = path.join(path.dirname(downloads), name);
    await writeFile(file, text);
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
