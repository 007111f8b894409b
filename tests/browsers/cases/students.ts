import path from 'node:path';
import sharp from 'sharp';
import type { StudentBase, StudentInput } from '../../../src/contract/students/students.ts';
import { SLOTS, slotFieldNames } from '../../../src/contract/students/subject-slots.ts';
import { aFamily, aStudent } from '../../support/records.ts';
import { type Case, type Context, input } from '../case.ts';
import type { Target } from '../page/probe.ts';
import { button, link } from '../page/tab.ts';

/** Whether nothing is drawn in the first half of a field, where what is written begins. */
async function isBlank({ tab }: Context, target: Target): Promise<boolean> {
  const measure = () =>
    tab.run((target) => {
      const { left, top, width, height } =
        window.probe.find(target)?.getBoundingClientRect() ?? new DOMRect();
      // Without its outline, and the shadow inside.
      const box = { left: left + 6, top: top + 6, width: width / 2 - 6, height: height - 12 };
      return {
        left: Math.round(box.left),
        top: Math.round(box.top),
        width: Math.round(box.width),
        height: Math.round(box.height),
      };
    }, target);
  await tab.locate(target);
  const { channels } = await tab.wait('the field stays where it is', async () => {
    const place = await measure();
    const picture = await tab.driver.screenshot();
    if (JSON.stringify(await measure()) !== JSON.stringify(place)) return undefined as never;
    return sharp(await sharp(picture).extract(place).toBuffer()).stats();
  });
  return channels.every(({ min, max }) => max - min < 8);
}

async function fillBase(context: Context, student: StudentInput): Promise<void> {
  const { tab, typeDate, engine, must } = context;
  // By itself WebKit shows the day of today, which can't be told from a value.
  if (engine === 'webkit') must(await isBlank(context, input('dob')), 'an empty date field shows a date');
  await tab.fill(input('first_name'), student.first_name);
  await typeDate(input('dob'), student.dob);
  await tab.fill(input('last_name'), student.last_name);
  if (engine === 'webkit') {
    await tab.wait('the date is drawn', async () => !(await isBlank(context, input('dob'))));
  }
  await tab.choose(input('gender'), 'Female');
  await tab.fill(input('id'), student.id);
  await typeDate(input('joining_date'), student.joining_date);
  await tab.choose(input('department'), 'Computer and Software Engineering (CE)');
  await tab.choose(input('syn'), 'Syndicate B');
  for (const name of ['degree', 'current_sem', 'fsc_marks', 'fsc_year', 'fsc_div'] as const) {
    await tab.fill(input(name), String(student[name]));
  }
  for (const name of ['matric_marks', 'matric_year', 'matric_div'] as const) {
    await tab.fill(input(name), String(student[name]));
  }
}

async function makePortrait({ downloads }: Context): Promise<string> {
  const file = path.join(path.dirname(downloads), 'ayesha.png');
  const background = '#2f7399';
  await sharp({ create: { width: 350, height: 450, channels: 3, background } })
    .png()
    .toFile(file);
  return file;
}

/** A student is entered in three steps with mouse and keys, found in the list and opened. */
export const admission: Case = {
  name: 'admission',
  run: async (context) => {
    const { tab, staff, typeDate } = context;
    const student = aStudent({ current_sem: 1 });
    await tab.follow('/students');
    await tab.click(link('Create New Entry'));
    await tab.untilPath(/create$/);
    // What was typed survives a reload.
    await tab.fill(input('first_name'), 'Draft');
    await tab.reload();
    await tab.until(
      'the draft is back',
      () => document.querySelector<HTMLInputElement>('[name="first_name"]')?.value === 'Draft',
    );
    await tab.click(button('Discard the draft'));
    await tab.until(
      'the draft is gone',
      () => document.querySelector<HTMLInputElement>('[name="first_name"]')?.value === '',
    );
    await fillBase(context, student);
    await tab.chooseFile('input[type="file"]', await makePortrait(context));
    await tab.shows('Selected: ayesha.png');
    await typeDate(input('joining_date'), '0023-09-04');
    await tab.click(button('Create Entry'));
    await tab.shows('The joining date must not be before 1900.');
    await typeDate(input('joining_date'), student.joining_date);
    await tab.click(button('Create Entry'));
    await tab.untilPath(/\/family\/create$/);
    const family = aFamily(student.id);
    await tab.fill(input('father_name'), family.father_name);
    await tab.fill(input('father_occupation'), family.father_occupation);
    await tab.click(button('Create Entry'));
    await tab.untilPath(/\/academics\/create$/);
    await tab.ready();
    // The form begins with the subjects of the scheme.
    await tab.has(input(slotFieldNames(1).title));
    for (const slot of SLOTS.slice(0, 6)) {
      const names = slotFieldNames(slot);
      if (!(await tab.run((name) => document.getElementsByName(name).length > 0, names.title as string))) {
        await tab.click(button('Add subject'));
      }
      await tab.fill(input(names.title), `Subject ${slot}`);
      await tab.press('Tab', 'Tab');
      await tab.type('3');
      await tab.press('Tab');
      await tab.type(slot === 6 ? 'B+' : 'A');
      await tab.press('Tab');
    }
    await tab.click(button('Create Semester Entry'));
    await tab.untilPath(/^\/students(\?|$)/);
    await tab.shows('Entry has been created successfully');
    const { student: stored } = await staff.get<StudentBase>(`/api/students/${student.id}/base`);
    context.must(stored.dob === student.dob && stored.fsc_year === 2023, `stored: ${JSON.stringify(stored)}`);
    await tab.ready();
    await tab.wait('the search has the focus', async () => {
      const isInSearch = () => document.activeElement?.matches('input[type="search"]') ?? false;
      if (!(await tab.run(isInSearch))) await tab.press('/');
      return tab.run(isInSearch);
    });
    await tab.type(student.id);
    await tab.untilPath(new RegExp(`q=${student.id}`));
    await tab.click(link('Ayesha Siddiqui'));
    await tab.untilPath(new RegExp(`/students/${student.id}$`));
    // (5 × 4 + 3.5) ÷ 6
    await tab.shows('3.92');
    await tab.until(
      'the portrait is drawn',
      () => document.querySelector<HTMLImageElement>('img[alt="Portrait of Ayesha Siddiqui"]')?.naturalHeight,
    );
  },
};

/** A change by somebody else meanwhile is shown before it is overwritten. */
export const conflict: Case = {
  name: 'conflict',
  run: async ({ tab, staff, must }) => {
    const student = await staff.createRecord([]);
    const readBase = async () => (await staff.get<StudentBase>(`/api/students/${student.id}/base`)).student;
    await tab.follow(`/students/${student.id}/edit`);
    await tab.fill(input('last_name'), 'Mine');
    await staff.send('PUT', `/api/students/${student.id}`, { ...student, last_name: 'Theirs' });
    await tab.click(button('Update Entry'));
    await tab.shows('changed this record while you were editing');
    must((await readBase()).last_name === 'Theirs', 'the change of the other was overwritten unseen');
    await tab.click(button('Update Entry'));
    await tab.untilPath(/\/family\/edit$/);
    must((await readBase()).last_name === 'Mine', 'the own change was not stored');
  },
};
