import { expect } from 'vitest';
import {
  type StudentListItem,
  type StudentPage,
  type StudentView,
  studentPageReply,
} from '../../../src/contract/students/student-list.ts';
import { recordReply } from '../../../src/contract/students/students.ts';
import { matchesWord, readQuery, searchText } from '../../../src/domain/search-text.ts';
import { fillFaculty } from '../../../src/server/seed/fill-faculty.ts';
import { aFamily, aStudent } from '../records.ts';
import type { Person, TestApp } from './test-app.ts';

export type ListRequest = StudentView & { limit?: number; cursor?: string; from?: 'end' };

export const listUrl = (asked: Record<string, unknown>) =>
  `/api/students?${new URLSearchParams(Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]))}`;

export async function fetchPage(person: Person, asked: ListRequest): Promise<StudentPage> {
  const answer = await person.get(listUrl(asked));
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return studentPageReply.parse(answer.body);
}

/** Reads all pages of a view; returns the rows, and the total of the first page. */
export async function allRows(person: Person, asked: ListRequest) {
  const first = await fetchPage(person, asked);
  const rows = [...first.students];
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const next = await fetchPage(person, { ...asked, cursor });
    expect(next.students.length).toBeLessThanOrEqual(asked.limit ?? 100);
    rows.push(...next.students);
    cursor = next.next_cursor;
  }
  return { rows, first };
}

export const ids = (rows: readonly StudentListItem[]) => rows.map(({ id }) => id);

const NAMES = [
  'Zoë',
  'Ali',
  'Alina',
  'Noor-ul-Huda',
  'O’Neil',
  'ALI RAZA',
  'Şerif',
  'Jörg Straße',
  'جمشید',
  'Alí',
];

/** A small faculty with unusual names, incomplete records, falls and fails, and the record of each student. */
async function enterFaculty(app: TestApp, admin: Person): Promise<Entry[]> {
  await fillFaculty(app.db.write, { students: 90, seed: 5, intakes: 4 });
  for (const [i, first_name] of NAMES.entries()) {
    const id = ['S-9', 'S-10', '0042', '42'][i] ?? `X.${i}_${i * 7}`;
    const last_name = i % 2 === 0 ? 'Hunzai' : 'Ali';
    await admin.post(
      '/api/students',
      aStudent({ id, first_name, last_name, phone_number: `+92 300 ${i}55 0${i}` }),
    );
    if (i % 3 !== 0)
      await admin.post('/api/students/family', aFamily(id, { father_name: `Ali ${last_name}` }));
  }
  for (const [i, status] of (['on-leave', 'withdrawn', 'graduated', 'transferred'] as const).entries()) {
    expect((await admin.put(`/api/students/X.${i + 4}_${(i + 4) * 7}/status`, { status })).status).toBe(200);
  }
  const { rows } = await allRows(admin, { limit: 500 });
  return Promise.all(rows.map((row) => readEntry(admin, row)));
}

const entered = new WeakMap<TestApp, Promise<Entry[]>>();

/** The faculty of an application, entered once for all tests of the file. */
export function sharedFaculty(app: TestApp, admin: Person): Promise<Entry[]> {
  const faculty = entered.get(app) ?? enterFaculty(app, admin);
  entered.set(app, faculty);
  return faculty;
}

async function readEntry(person: Person, row: StudentListItem) {
  const record = recordReply.parse((await person.get(`/api/students/${row.id}`)).body);
  return {
    row,
    academics: record?.academics ?? [],
    latest: record?.academics_summary.latest_cgpa ?? null,
  };
}
export type Entry = Awaited<ReturnType<typeof readEntry>>;

const computeFall = ({ academics }: Entry) => {
  const [before, latest] = academics.filter((one) => one.sgpa > 0 || one.subj_grade_1 !== null).slice(-2);
  return before === undefined || latest === undefined ? 0 : before.sgpa - latest.sgpa;
};
const hasFailed = ({ academics }: Entry, course: number) =>
  academics.some((one) =>
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const).some(
      (n) => one[`subject_${n}_id`] === course && one[`subj_grade_${n}`] === 0,
    ),
  );

export function matchesView(entry: Entry, view: StudentView): boolean {
  const { row } = entry;
  const text = searchText(row);
  const { words, ofClass } = readQuery(view.q ?? '');
  return (
    words.every((word) => matchesWord(text, word)) &&
    (ofClass === undefined || (row.department === ofClass.department && row.degree === ofClass.degree)) &&
    (ofClass?.syn === undefined || row.syn === ofClass.syn) &&
    (view.department === undefined || row.department === view.department) &&
    (view.degree === undefined || row.degree === view.degree) &&
    (view.syn === undefined || row.syn === view.syn) &&
    (view.current_sem === undefined || row.current_sem === view.current_sem) &&
    (view.status === undefined || view.status.includes(row.status)) &&
    (view.gender === undefined || row.gender === view.gender) &&
    (view.cgpa_from === undefined || (row.cgpa !== null && row.cgpa >= view.cgpa_from)) &&
    (view.cgpa_below === undefined || (row.cgpa !== null && row.cgpa < view.cgpa_below)) &&
    (view.incomplete === undefined || !row.is_complete) &&
    (view.fell_by === undefined || (computeFall(entry) > 0 && computeFall(entry) >= view.fell_by - 1e-9)) &&
    (view.failed === undefined || hasFailed(entry, view.failed))
  );
}
