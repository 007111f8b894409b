import sharp from 'sharp';
import type { StudentBase, StudentInput } from '../../../src/contract/students/students.ts';
import { SLOTS, slotFieldNames } from '../../../src/contract/students/subject-slots.ts';
import { aFamily, aStudent, unique } from '../../support/records.ts';
import { type Case, type Context, checkPlaces, input } from '../case.ts';
import type { Target } from '../page/probe.ts';
import { button, css, field, link, part } from '../page/tab.ts';

/**
 * A new member of staff registers, and is signed in after a reload. When the session is ended elsewhere, what was typed is kept; a wrong password
 * is refused, Enter signs in, and signing out asks.
 */
export const signIn: Case = {
  name: 'sign-in',
  run: async (context) => {
    const { tab } = context;
    const email = `${unique()}@faculty.example`;
    const password = `pass word ${unique()}`;
    await tab.run(() => sessionStorage.clear());
    for (const width of [390, 1440]) {
      await tab.driver.resize(width, 900);
      for (const path of ['/login', '/forgot-password', '/register']) {
        await tab.goto(path);
        await checkPlaces(context, `${path} at ${width} px`, ['light', 'dark']);
      }
    }
    await tab.fill(input('name'), 'Bilal Ahmed');
    await tab.fill(input('email'), email);
    await tab.fill(input('password'), password);
    await tab.fill(input('password_confirmation'), password);
    await tab.click(button('Register'));
    await tab.untilPath(/^\/$/);
    await tab.shows('Bilal Ahmed');
    await tab.reload();
    await tab.shows('Bilal Ahmed');
    await tab.follow('/courses/create');
    await tab.fill(field('Course name'), 'Statics');
    await tab.run(async () => {
      const token = sessionStorage.getItem('AUTH-TOKEN');
      await fetch('/api/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    });
    await tab.fill(field('Course ID'), '1');
    await tab.fill(field('Course code'), 'CE-1');
    await tab.click(button('Create Entry'));
    await tab.untilPath(/^\/login/);
    await tab.shows('Your session has ended. Sign in again. What you typed is kept.');
    await tab.fill(input('email'), email);
    await tab.fill(input('password'), 'not the password');
    await tab.press('Enter');
    await tab.has(css('[role="alert"]'));
    await tab.fill(input('password'), password);
    await tab.press('Enter');
    await tab.shows('You are signed in. What you typed is kept.');
    await tab.click(part(button('Continue with')));
    await tab.untilPath(/^\/courses\/create/);
    await tab.until('what was typed is kept', () =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'Statics'),
    );
    await tab.click(button('Logout'));
    await tab.click(button('Yes'));
    await tab.untilPath(/^\/login/);
  },
};

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

/** A student is entered in three steps with mouse and keys, found in the list and opened. */
export const admission: Case = {
  name: 'admission',
  run: async (context) => {
    const { tab, staff } = context;
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
    await fillBase(context, student);
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

/** By mouse: filters, a click anywhere in a row, boxes, a change of several students and its undoing. */
export const list: Case = {
  name: 'list',
  run: async ({ tab, staff, must }) => {
    const last_name = `Khan${unique()}`;
    const made = [3, 4, 8].map((current_sem) =>
      aStudent({ last_name, current_sem, syn: current_sem === 8 ? 'A' : 'B' }),
    );
    for (const student of made) await staff.createRecord([], student);
    await tab.follow(`/students?q=${last_name}`);
    await tab.shows('3 students');
    await tab.click(part(button('Filters')));
    await tab.choose({ role: 'field', name: 'Syndicate' }, 'B');
    await tab.shows('2 students');
    await tab.click(part(button('Filters')));
    const second = made[1]?.id ?? '';
    const age = css(`tr:has(a[href="/students/${second}"]) td:nth-last-child(2)`);
    await tab.click(age);
    await tab.untilPath(new RegExp(`/students/${second}$`));
    await tab.ready();
    await tab.driver.back();
    await tab.untilPath(/^\/students\?/);
    await tab.ready();
    // Beside the boxes, not on them.
    for (const student of made.slice(0, 2)) {
      const { x, y } = await tab.locate(css(`tr:has(a[href="/students/${student.id}"]) td.tick-room`));
      await tab.mouse([
        {
          type: 'pointerMove',
          x: Math.round(x - 12),
          y: Math.round(y - 12),
          origin: 'viewport',
          duration: 0,
        },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]);
    }
    await tab.shows('2 selected');
    await tab.click(button('Change'));
    await tab.choose({ role: 'field', name: 'What to change' }, 'Move to the next semester');
    await tab.shows('2 students will move to the next semester.');
    await tab.click(button('Move 2 students'));
    await tab.shows('2 students have been moved to the next semester.');
    await tab.click(part(button('Undo')));
    await tab.wait('the change is undone', async () => {
      const { student } = await staff.get<StudentBase>(`/api/students/${second}/base`);
      return student.current_sem === 4;
    });
    must((await tab.path()).startsWith('/students'), 'the list was left');
  },
};
