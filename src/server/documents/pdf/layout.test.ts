import { describe, expect, test } from 'vitest';
import { findOverlaps, readPdf, readTextBoxes } from '../../../../tests/support/read-pdf.ts';
import {
  computeFigures,
  type DocumentOutsideCredit,
  type DocumentRecord,
} from '../../../domain/documents/figures.ts';
import type { DocumentKind } from '../../../domain/documents/kinds.ts';
import { type AwardList, renderAwardList } from './landscape/award-list-pdf.ts';
import { type ResultSheet, renderResultSheet } from './landscape/result-sheet-pdf.ts';
import type { PrintJob } from './print-job.ts';
import { renderBatch, renderDocument } from './render.ts';

const NAMES = {
  Latin: {
    first_name: 'Muhammad Bilal Ahmad Siddiqui',
    last_name: 'Raza Hussain Shah Bukhari of Uch Sharif',
  },
  Urdu: { first_name: 'محمد بلال احمد صدیقی رضا حسین', last_name: 'شاہ بخاری قریشی الحسینی الگیلانی' },
  'one word': { first_name: 'A'.repeat(45), last_name: 'Wolfeschlegelsteinhausenbergerdorffwelche' },
} as const;
const CODES = [
  'MATH-124',
  'MATH-231',
  'CSE-BIO-401L',
  'HU-104',
  'MTS-4999',
  'PHY-102',
  'EE-215',
  'MGT-354',
  'CS-250',
  'ME-211',
];
const TITLE = 'Linear Algebra and Ordinary Differential Equations with Applications';
const INSTITUTION = {
  name: 'Rohtas College of Engineering and Technology, Jhelum',
  ...{ short_name: 'RCE', address: 'Grand Trunk Road\nJhelum 49600', logo: null },
  signatories: [
    { name: 'Prof Dr Shaheena Bangulzai-Raisani', title: 'Controller of Examinations' },
    { name: 'Farhan Jogi', title: 'Registrar' },
    { name: 'Prof Dr Tahir Mehkri', title: 'Dean of the Faculty of Engineering' },
  ],
};

/** Signatories with names as long as the settings take them. */
const LONG_SIGNATORIES = Array.from({ length: 3 }, () => ({
  name: 'Prof Dr Shaheena Bangulzai-Raisani '.repeat(8).slice(0, 254),
  title: 'Controller of Examinations of the Faculty of Engineering '.repeat(5).slice(0, 254),
}));

/** Eight semesters of ten subjects, the first of which is taken again and again. */
function aJob(
  kind: DocumentKind,
  name: (typeof NAMES)[keyof typeof NAMES],
  {
    semesters = 8,
    subjects = 10,
    id = '202210700000',
    outside = [],
  }: { semesters?: number; subjects?: number; id?: string; outside?: DocumentOutsideCredit[] } = {},
): PrintJob {
  const record: DocumentRecord = {
    student: {
      ...{ id, ...name, father_name: `${name.first_name} ${name.last_name}`, dob: '2004-01-19' },
      ...{ joining_date: '2022-09-12', degree: '49', department: 'Computer and Software Engineering' },
    },
    semesters: Array.from({ length: semesters }, (_, i) => ({
      ...{ semester: i + 1, sgpa: 3 + i / 100, cgpa: 3.1, is_provisional: false },
    })),
    subjects: Array.from({ length: semesters * subjects }, (_, i) => ({
      ...{ semester: Math.floor(i / subjects) + 1, slot: (i % subjects) + 1, title: TITLE },
      ...{ course_id: i % subjects === 0 ? 1 : i + 1, credits: 3, points: i === 0 ? 0 : 3.5, ungraded: null },
    })),
    repeat_policy: 'best',
    outside,
  };
  return {
    content: {
      ...{ kind, semester: semesters, serial: '2026-000294', issued_on: '2026-07-06' },
      figures: computeFigures(record, kind, semesters),
      degree_title: 'Bachelor of Engineering in Computer and Software Engineering',
      terms: Object.fromEntries(
        Array.from({ length: semesters }, (_, i) => [
          i + 1,
          i % 3 === 0 ? 'Fall 2022, Summer 2023 (repeated)' : 'Fall 2022',
        ]),
      ),
      course_codes: Object.fromEntries(
        Array.from({ length: semesters * subjects + 1 }, (_, i) => [i, CODES[i % CODES.length] ?? '']),
      ),
      ...{ policy_id: 3, is_final: true, completed_on: null, portrait: null, institution: INSTITUTION },
    },
    codes: {
      url: `https://records.rce.example.edu/verify#${'Ab3_-'.repeat(60)}`,
      site: 'records.examinations.rohtas-college.example.edu.pk/verify',
      handCode: '7K3M9QXD42TBA0ZN7K3M9QXD',
    },
    printedBy: 'Hina Sabzwari',
    ...{ logo: null, portrait: null },
  };
}

const WATERMARKS = ['UNOFFICIAL', 'NOT CONFIRMED'];

async function expectNoOverlap(pdf: Uint8Array): Promise<void> {
  const { sizes } = await readPdf(pdf);
  for (const [page, boxes] of (await readTextBoxes(pdf)).entries()) {
    const shown = boxes.filter(({ text }) => !WATERMARKS.includes(text));
    expect(findOverlaps(shown, sizes[page] ?? { width: 0, height: 0 }), `page ${page + 1}`).toEqual([]);
  }
}

const people = Object.entries(NAMES);
const CLASS = Array.from({ length: 41 }, (_, i) => {
  const [, { first_name, last_name }] = people[i % people.length] ?? ['', NAMES.Latin];
  return { id: `2022${1_000_000_000 + i}`, name: i % 2 === 0 ? `${first_name} ${last_name}` : 'Ali Raza' };
});

const aSheet = (codes: readonly string[]): ResultSheet => ({
  ...{ institution: INSTITUTION, logo: null, semester: 3, printedOn: '2026-07-06' },
  className: 'Computer and Software Engineering, batch 49, syndicate A',
  about: ['Fall 2026, result notification 12 of 1 February 2027'],
  counts: '41 students, passed all 30, one F 5, two F 3, three or more F 3',
  courses: codes.map((code) => ({ code, title: TITLE, credits: 3 })),
  students: CLASS.map(({ id, name }, i) => ({
    ...{ id, name, letters: codes.map((_, column) => (column === 0 && i % 5 === 0 ? 'F, B+' : 'A')) },
    ...{ sgpa: 3.25, is_incomplete: false, cgpa: 3.1, rank: i + 1 },
    remarks: i % 4 === 0 ? `Failed: ${CODES.slice(0, 4).join(', ')}; Probation` : '',
  })),
});

describe('texts on documents stand beside and below each other, never over each other', () => {
  test.for(people)('on a transcript with a name in %s', async ([which, name]) => {
    const { pdf, pages } = await renderDocument(aJob('transcript', name));
    expect(pages).toBeLessThanOrEqual(which === 'one word' ? 3 : 2);
    await expectNoOverlap(pdf);
    const text = (await readPdf(pdf)).pages.join(' ').replaceAll(' ', '');
    for (const code of CODES) expect(text).toContain(code);
  });

  test.for(people)('on a result card with a name in %s', async ([, name]) => {
    const { pdf } = await renderDocument(aJob('result-card', name));
    await expectNoOverlap(pdf);
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/Results of semester 8, Fall 2022/);
  });

  test('on unofficial documents, and with a signatory whose name is not known', async () => {
    const job = aJob('transcript', NAMES.Latin, { semesters: 5, subjects: 6 });
    const institution = { ...INSTITUTION, signatories: [] };
    const unofficial = { ...job, codes: null, content: { ...job.content, serial: null } };
    await expectNoOverlap((await renderDocument(unofficial)).pdf);
    const { pdf } = await renderDocument({ ...job, content: { ...job.content, institution } });
    await expectNoOverlap(pdf);
  });

  test('with three signatories whose names and titles are long', async () => {
    const institution = { ...INSTITUTION, signatories: LONG_SIGNATORIES };
    const job = aJob('transcript', NAMES.Latin, { semesters: 5, subjects: 6 });
    await expectNoOverlap((await renderDocument({ ...job, content: { ...job.content, institution } })).pdf);
    await expectNoOverlap(await renderResultSheet({ ...aSheet(CODES), institution }));
  });

  test.for([
    ['a few', 5, 1],
    ['as many as there can be', 40, 1],
    ['as many and as long as there can be', 40, 255],
  ] as const)('with %s credits from elsewhere', async ([, count, length]) => {
    const outside = Array.from({ length: count }, (_, i) => ({
      title: `Course ${i} ${TITLE.repeat(4).slice(0, length)}`,
      credits: 3,
      institution: `University ${'of Engineering '.repeat(20).slice(0, length)}`,
      grade: 'B+',
    }));
    const { pdf } = await renderDocument(aJob('transcript', NAMES.Latin, { outside }));
    await expectNoOverlap(pdf);
    const { pages } = await readPdf(pdf);
    const text = pages.join(' ').replaceAll(/\s+/g, ' ');
    for (let i = 0; i < count; i += 1) expect(text).toMatch(new RegExp(`Course ${i}\\b`));
    expect(text).toContain(`and ${3 * count} from elsewhere, which count in no average.`);
    for (const page of pages.filter((one) => /University/.test(one)))
      expect(page).toContain('Credits from elsewhere');
    expect(pages.at(-1)).toContain('Credits attempted');
  });

  test('in the index of a class', async () => {
    const jobs = CLASS.map(({ id }, i) =>
      aJob('result-card', people[i % people.length]?.[1] ?? NAMES.Latin, { semesters: 1, subjects: 2, id }),
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of renderBatch(jobs)) pieces.push(piece);
    const pdf = Buffer.concat(pieces);
    await expectNoOverlap(pdf);
    const [index = ''] = (await readPdf(pdf)).pages;
    expect(index).toContain('of Uch Sharif');
  });

  test.for([1, 6, 10, 12])(
    'on the result sheet of 41 students in %d courses, with whole codes',
    async (count) => {
      const codes = Array.from({ length: count }, (_, i) => (i < CODES.length ? (CODES[i] ?? '') : TITLE));
      const pdf = await renderResultSheet(aSheet(codes));
      await expectNoOverlap(pdf);
      const heads = (await readTextBoxes(pdf)).map((boxes) => boxes.map(({ text }) => text));
      for (const page of heads.slice(0, 2)) {
        for (const code of codes.slice(0, CODES.length)) expect(page).toContain(code);
      }
    },
  );

  test('on the award list of 41 students, with the decimal points of a column below each other', async () => {
    const marks = ['6.5', '21', '100', '78.25', 'A', ''];
    const list: AwardList = {
      ...{ institution: INSTITUTION, logo: null, course: 'MATH-124 Linear Algebra', isConfirmed: false },
      ...{ about: ['Computer and Software Engineering, batch 49, semester 3', 'Fall 2026, 3 credit hours'] },
      ...{ state: 'Mark sheet 12. Draft, not confirmed', printedOn: '2026-07-06' },
      components: ['Quiz 1', 'Quiz 2', 'OHT 1', 'OHT 2', 'Laboratory work', 'Semester project', 'ESE'].map(
        (name) => ({
          ...{ name, max: 'of 100' },
        }),
      ),
      students: CLASS.map(({ id, name }, i) => ({
        ...{ id, name, total: '68.20', letter: 'B+' },
        cells: Array.from({ length: 7 }, () => marks[i % marks.length] ?? ''),
      })),
      notes: [{ label: 'Counts', text: '41 students, A 5, B+ 6' }],
    };
    const pdf = await renderAwardList(list);
    await expectNoOverlap(pdf);
    const [page = []] = await readTextBoxes(pdf);
    const [half, whole, hundred] = ['6.5', '21', '100'].map((mark) => page.find(({ text }) => text === mark));
    expect(hundred?.right).toBeCloseTo(whole?.right ?? 0, 0);
    expect(half?.left).toBeGreaterThan(whole?.left ?? 0);
    const last = (await readPdf(pdf)).pages.at(-1);
    expect(last).toMatch(/Teacher Coordinator Head of department Name Date/);
  });
});
