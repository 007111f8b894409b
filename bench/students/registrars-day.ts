/** A registrar's day by keyboard alone: key presses, waiting for the product, and minutes. */
import { deepStrictEqual } from 'node:assert/strict';
import { chromium, type Locator, type Page } from '@playwright/test';
import type { StudentRecord } from '../../src/contract/students/students.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { field, subjectCard } from '../../tests/support/browser/forms.ts';
import { startWithFaculty } from '../../tests/support/processes/sample-faculty.ts';
import {
  ADMISSIONS,
  ADMITTED_CLASS,
  CORRECTIONS,
  checkDay,
  MARK_SHEETS,
  prepareDay,
  type SheetLine,
  WITHDRAWALS,
} from '../support/days-papers.ts';
import { type Effort, Keyboard, SECONDS_PER_KEY, toMinutes } from '../support/keyboard.ts';
import { signedInPage } from '../support/signed-in.ts';

const { CHROMIUM_PATH } = process.env;
const STUDENTS = 300;

/** A date as Chromium asks for it in American English: month, day, year. */
const typedDate = (iso: string) => iso.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2$3$1');

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true });
const button = (where: Page | Locator, name: string | RegExp) =>
  where.getByRole('button', { name, exact: true });

class Registrar {
  readonly #page: Page;
  readonly keyboard: Keyboard;

  constructor(page: Page) {
    this.#page = page;
    this.keyboard = new Keyboard(page);
  }

  async openRecord(id: string): Promise<void> {
    await this.keyboard.press('Control+k');
    await this.keyboard.see(this.#page.getByRole('combobox', { name: 'Search or jump to' }));
    await this.keyboard.type(id);
    await this.keyboard.press('Enter');
    await this.keyboard.seeScreen(this.#page.getByText(`CMS ID ${id}`));
  }

  async follow(link: Locator, next: Locator): Promise<void> {
    await this.keyboard.reach(link);
    await this.keyboard.press('Enter');
    await this.keyboard.seeScreen(next);
  }

  /** Opens a screen by its two keys, or in the palette where a field has the focus, which takes letters. */
  async #open(shortcut: readonly [string, string], name: string): Promise<void> {
    const isTyping = (await this.#page.locator('main input:focus').count()) > 0;
    if (!isTyping) return this.keyboard.press(...shortcut);
    await this.keyboard.press('Control+k');
    await this.keyboard.see(this.#page.getByRole('combobox', { name: 'Search or jump to' }));
    await this.keyboard.type(name);
    await this.keyboard.press('Enter');
  }

  async admit({ student, family }: (typeof ADMISSIONS)[number]): Promise<void> {
    const page = this.#page;
    const keys = this.keyboard;
    const next = page.getByRole('link', { name: 'Next admission' });
    if (await next.isVisible()) await keys.press('F9');
    else await this.#open(['c', 's'], 'create n');
    await keys.seeScreen(heading(page, 'Create an Entry'));
    await keys.fill(field(page, 'First name'), student.first_name);
    await keys.fill(field(page, 'Last name'), student.last_name);
    await keys.fill(page.getByLabel('Date of birth'), typedDate(student.dob));
    await keys.fill(field(page, 'Gender'), student.gender ?? '');
    await keys.fill(field(page, 'Phone number'), student.phone_number ?? '');
    // The number and what the class has in common are there from the second admission on, and Enter passes over them.
    await keys.correct(field(page, 'Registration number'), student.id);
    await keys.correct(
      page.getByLabel('Joining date'),
      student.joining_date,
      typedDate(student.joining_date),
    );
    await keys.correct(field(page, 'Department'), student.department, 'c');
    // All syndicates begin with the same word.
    await keys.correct(field(page, 'Syndicate'), student.syn, 's');
    await keys.correct(field(page, 'Degree'), student.degree);
    await keys.correct(field(page, 'Semester'), String(student.current_sem));
    for (const [name, prefix] of [
      ['HSSC/FSC', 'fsc'],
      ['SSC/Matric', 'matric'],
    ] as const) {
      const examination = page.getByRole('group', { name });
      await keys.press('Enter');
      await keys.fill(field(examination, 'Marks'), String(student[`${prefix}_marks`]));
      await keys.correct(field(examination, 'Passing year'), String(student[`${prefix}_year`]));
      await keys.correct(field(examination, 'Division'), String(student[`${prefix}_div`]));
    }
    await keys.press('Enter');
    await keys.seeScreen(heading(page, `Enter Family Data of Student with ID: ${student.id}`));
    for (const [label, value] of [
      ["Father's name", family.father_name],
      ["Father's occupation", family.father_occupation],
      ["Mother's name", family.mother_name],
      ["Mother's occupation", family.mother_occupation],
      ['Number of siblings', family.number_siblings],
      ["Father's phone", family.father_phone],
      ["Mother's phone", family.mother_phone],
      ['Home phone', family.home_phone],
      ['Address', family.address],
    ] as const) {
      if (value === null || value === undefined) continue;
      const begun = String(value).replace(new RegExp(` ${student.last_name}$`), '');
      await keys.fill(field(page, label), begun);
      if (begun !== value && label.endsWith('name')) await keys.press('ArrowDown');
    }
    await keys.press('Control+Enter');
    // A new admission has no results: the next form of admission is opened from here.
    await keys.seeScreen(heading(page, `Enter Academic Data of Student with ID: ${student.id}`));
    await keys.see(page.locator('main input:focus'));
  }

  /** Finds the class in the list, and opens its first student from there. */
  async openClass(): Promise<void> {
    const page = this.#page;
    const keys = this.keyboard;
    await this.#open(['g', 's'], 'students');
    await keys.seeScreen(heading(page, 'Students'));
    await keys.press('/');
    await keys.type('ce-47e-b');
    await keys.see(page.getByRole('status').getByText('28 students'));
    await keys.press('ArrowDown', 'Enter');
  }

  /** The first semester of a class, which is done in the order of the list. */
  async enterFirst({ id, lines }: (typeof MARK_SHEETS)[number]): Promise<void> {
    const page = this.#page;
    const keys = this.keyboard;
    await this.openClass();
    await keys.seeScreen(page.getByText(`CMS ID ${id}`));
    await keys.see(page.getByRole('link', { name: 'Enter Semester 3' }));
    await keys.press('r');
    await keys.seeScreen(heading(page, 'Semester 3'));
    await this.#typeSheet(lines);
    await keys.press('Control+Enter');
    await keys.seeScreen(heading(page, 'Students'));
  }

  /** The next student of the class, with the subjects of the one before. */
  async enterNext({ id, lines }: (typeof MARK_SHEETS)[number]): Promise<void> {
    const page = this.#page;
    const keys = this.keyboard;
    await keys.see(button(page, /^Next: /));
    await keys.press('F8', 'Enter');
    await keys.seeScreen(heading(page, `Edit academics of student with ID: ${id}`));
    const same = page.getByRole('button', { name: /^As for / });
    await keys.reach(same, 'Shift+Tab');
    await keys.press('Enter');
    await this.#typeSheet(lines);
    await keys.press('Control+Enter');
    await keys.seeScreen(heading(page, 'Students'));
  }

  /** In the order of the form, which begins with the subjects of the scheme. Another one on the paper is typed over by its code. */
  async #typeSheet(lines: readonly SheetLine[]): Promise<void> {
    const keys = this.keyboard;
    const left = new Map(lines.map((line) => [line.title, line]));
    const cards = this.#page.getByRole('group', { name: /^Subject \d+$/ });
    const begun: string[] = [];
    for (const card of await cards.all()) begun.push(await field(card, 'Title').inputValue());
    for (const [i] of lines.entries()) {
      const card = subjectCard(this.#page, i + 1);
      const line = left.get(begun[i] ?? '') ?? [...left.values()].find((one) => !begun.includes(one.title));
      if (line === undefined) throw new Error(`Nothing is on the paper for ${begun[i]}.`);
      if (line.title !== begun[i]) {
        // Enter after the last grade has added a subject.
        await keys.reach(field(card, 'Title'), 'Shift+Tab');
        await keys.type(line.code.toLowerCase());
        await keys.press('Enter');
      }
      left.delete(line.title);
      await this.#typeGrade(card, line.grade, i < lines.length - 1);
    }
  }

  async #typeGrade(card: Locator, grade: string, movesOn: boolean): Promise<void> {
    await this.keyboard.reach(field(card, 'Grade'));
    await this.keyboard.type(grade.toLowerCase());
    if (movesOn) await this.keyboard.press('Enter');
  }

  async correct(): Promise<void> {
    const page = this.#page;
    const keys = this.keyboard;
    const { lastName, phone, fathersPhone, address, grade } = CORRECTIONS;
    await this.editBase(lastName.id);
    await keys.fill(field(page, 'Last name'), lastName.value);
    await this.saveBase(lastName.id);

    await this.correctValue(phone.id, 4, phone.value);
    await this.correctValue(fathersPhone.id, 15, fathersPhone.value);

    await this.editFamily(address.id);
    await keys.reach(field(page, 'Address'));
    await keys.press('Control+a');
    await keys.type(address.value);
    await keys.press('Control+Enter');
    await keys.seeScreen(heading(page, 'Semester 1'));

    await this.openRecord(grade.id);
    await keys.reach(button(page, /^Semester 2 /));
    await keys.press('Enter');
    const edit = page.getByRole('link', { name: 'Edit Semester 2' });
    await keys.see(edit);
    await this.follow(edit, heading(page, 'Semester 2'));
    await keys.fill(field(subjectCard(page, 2), 'Grade'), grade.value.toLowerCase());
    await keys.press('Control+Enter');
    await keys.see(heading(page, 'Semester 3'));
  }

  /** Corrects one value on the record, at its place among the details. */
  async correctValue(id: string, place: number, value: string): Promise<void> {
    const keys = this.keyboard;
    await this.openRecord(id);
    const shown = this.#page.getByRole('definition').nth(place).getByRole('button');
    await keys.reach(shown);
    await keys.press('Enter');
    await keys.type(value);
    await keys.press('Enter');
    await keys.see(shown.filter({ hasText: value }));
  }

  async editBase(id: string): Promise<void> {
    await this.openRecord(id);
    await this.keyboard.press('e');
    await this.keyboard.seeScreen(heading(this.#page, `Edit details of student with ID: ${id}`));
  }

  /** From a field that takes one line. */
  async saveBase(id: string): Promise<void> {
    await this.keyboard.press('Enter');
    await this.keyboard.seeScreen(heading(this.#page, `Edit family details of student with ID: ${id}`));
  }

  async editFamily(id: string): Promise<void> {
    await this.editBase(id);
    await this.keyboard.reach(field(this.#page, 'First name'));
    await this.saveBase(id);
  }

  async withdraw({ id, reason }: (typeof WITHDRAWALS)[number]): Promise<void> {
    const page = this.#page;
    const keys = this.keyboard;
    await this.openRecord(id);
    await keys.press('s');
    const dialog = page.getByRole('dialog', { name: 'Change status' });
    await keys.see(field(dialog, 'Status'));
    await keys.fill(field(dialog, 'Status'), 'w');
    await keys.fill(field(dialog, 'Reason (optional)'), reason);
    await keys.press('Enter');
    await keys.see(page.getByText(reason, { exact: true }));
  }

  /** @returns the names on the paper */
  async printClass(): Promise<string[]> {
    const page = this.#page;
    const keys = this.keyboard;
    await keys.press('g', 's');
    await keys.seeScreen(heading(page, 'Students'));
    await keys.reach(button(page, /^Filters/));
    await keys.press('Enter');
    await keys.fill(field(page, 'Department'), 'c');
    await keys.fill(field(page, 'Degree'), ADMITTED_CLASS.degree);
    await keys.fill(field(page, 'Syndicate'), ADMITTED_CLASS.syn.toLowerCase());
    await keys.reach(button(page, 'Print'), 'Shift+Tab');
    await keys.press('Enter');
    await keys.reach(page.getByRole('menuitem', { name: /^Class list/ }), 'ArrowDown');
    await keys.press('Enter');
    await keys.see(heading(page, 'Class list'));
    await keys.see(page.getByRole('table').getByRole('row').nth(1));
    // The print dialog of the browser.
    await keys.press('Enter');
    await page.emulateMedia({ media: 'print' });
    const rows = page.getByRole('table').locator('tbody tr');
    const texts = await rows.allInnerTexts();
    await page.emulateMedia({ media: null });
    return texts;
  }
}

const total = (efforts: readonly Effort[]): Effort => ({
  keys: efforts.reduce((sum, { keys }) => sum + keys, 0),
  waited: efforts.reduce((sum, { waited }) => sum + waited, 0),
});

const server = await startWithFaculty(STUDENTS, { LOG_LEVEL: 'warn' });
const browser = await chromium.launch({
  ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--lang=en-US'],
});
try {
  const admin = await registerUser(server.url);
  const account = await registerUser(server.url, 'Nadia Farooq');
  const api = new Api(server.url, admin.token);
  await prepareDay(api);
  const page = await signedInPage(browser, server.url, account);
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Manage Students' }).waitFor();
  const registrar = new Registrar(page);
  const efforts: Effort[] = [];
  const report = (activity: string, effort: Effort) =>
    console.log(
      `${activity.padEnd(26)} ${String(effort.keys).padStart(6)} keys, ${effort.waited.toFixed(1).padStart(6)} s waiting, ${toMinutes(effort).toFixed(1).padStart(5)} minutes`,
    );
  const measure = async (activity: string, act: () => Promise<void>) => {
    await act();
    const effort = registrar.keyboard.takeEffort();
    efforts.push(effort);
    report(activity, effort);
  };

  await measure('20 admissions', async () => {
    for (const admission of ADMISSIONS) await registrar.admit(admission);
  });
  // The list has the highest ID first.
  const [first, ...others] = MARK_SHEETS.toReversed();
  await measure('The first semester', async () => {
    if (first) await registrar.enterFirst(first);
  });
  await measure('19 semesters of the class', async () => {
    for (const sheet of others) await registrar.enterNext(sheet);
  });
  await measure('5 corrections', () => registrar.correct());
  await measure('3 withdrawals', async () => {
    for (const withdrawal of WITHDRAWALS) await registrar.withdraw(withdrawal);
  });
  let printed: string[] = [];
  await measure('A printed class list', async () => {
    printed = await registrar.printClass();
  });
  report('The day', total(efforts));
  console.log(`${SECONDS_PER_KEY} s per key press, and the waiting.`);

  await checkDay(api);
  for (const { id, reason } of WITHDRAWALS) {
    const { student } = await api.get<StudentRecord>(`/api/students/${id}`);
    deepStrictEqual([student.status, student.status_reason], ['withdrawn', reason]);
  }
  const missing = ADMISSIONS.filter(({ student }) => !printed.some((row) => row.includes(student.id)));
  deepStrictEqual(missing, []);
  console.log(`Stored as on the papers. The class list has ${printed.length} rows.`);
} finally {
  await browser.close();
  await server.dispose();
}
