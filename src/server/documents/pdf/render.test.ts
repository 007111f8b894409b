import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readPdf, readQrCode } from '../../../../tests/support/read-pdf.ts';
import { computeFigures, type DocumentRecord } from '../../../domain/documents/figures.ts';
import type { PrintJob } from './print-job.ts';
import { renderBatch, renderDocument } from './render.ts';

const TITLES = [
  'Calculus and Analytical Geometry',
  'Linear Algebra and Ordinary Differential Equations',
  'Probability and Statistics for Engineers with Applications in Manufacturing and Quality Control',
  'Computer Organization and Assembly Language, with Laboratory Work in Groups of Four',
];
const URL = `https://records.rce.example.edu/verify/${'Ab3_-'.repeat(55)}`;

function aRecord(
  { semesters = 8, subjects = 6, repeats = false } = {},
  student: Partial<DocumentRecord['student']> = {},
): DocumentRecord {
  return {
    student: {
      ...{ id: '2022107', first_name: 'Zarmina', last_name: 'Achakzai', father_name: 'Haji Nazar' },
      ...{ dob: '2004-01-19', joining_date: '2022-09-12', degree: 'CE-44' },
      department: 'Computer and Software Engineering',
      ...student,
    },
    semesters: Array.from({ length: semesters }, (_, i) => ({
      ...{ semester: i + 1, sgpa: 3 + i / 100, cgpa: 3.1, is_provisional: false },
    })),
    subjects: Array.from({ length: semesters * subjects }, (_, i) => ({
      semester: Math.floor(i / subjects) + 1,
      slot: (i % subjects) + 1,
      title: `${TITLES[i % TITLES.length]} ${i}`,
      course_id: repeats && i % subjects === 0 ? 7 : 1_000 + i,
      credits: 3,
      points: repeats && i === 0 ? 0 : 3,
      ungraded: null,
    })),
    repeat_policy: 'best',
    outside: [],
  };
}

function aJob(record: DocumentRecord, changes: Partial<PrintJob> = {}): PrintJob {
  const semester = record.semesters.length;
  return {
    content: {
      ...{ kind: 'transcript', semester, serial: '2026-000294', issued_on: '2026-07-06' },
      figures: computeFigures(record, 'transcript', semester),
      degree_title: 'Bachelor of Engineering in Computer Engineering',
      terms: { 1: 'Fall 2022', 2: 'Spring 2023' },
      course_codes: { 7: 'MATH-101', 1001: 'PHY-102' },
      ...{ policy_id: 3, is_final: semester === 8, completed_on: null, portrait: null },
      institution: {
        name: 'Rohtas College of Engineering',
        ...{ short_name: 'RCE', address: 'Grand Trunk Road\nJhelum 49600', logo: null },
        signatories: [{ name: 'Dr Shaheena Bangulzai', title: 'Controller of Examinations' }],
      },
    },
    codes: { url: URL, site: 'records.rce.example.edu/verify', handCode: '7K3M9QXD42TBA0ZN7K3M9QXD' },
    printedBy: 'Hina Sabzwari',
    ...{ logo: null, portrait: null },
    ...changes,
  };
}

const unofficial = (job: PrintJob): PrintJob => ({
  ...job,
  codes: null,
  content: { ...job.content, serial: null },
});

const logo = async () =>
  new Uint8Array(
    await sharp({ create: { width: 80, height: 40, channels: 3, background: '#165' } })
      .jpeg()
      .toBuffer(),
  );

describe('a transcript', () => {
  test('says who, what, and how the figures come about', async () => {
    const { pdf, pages, missing } = await renderDocument(aJob(aRecord({ semesters: 3, repeats: true })));
    const read = await readPdf(pdf);
    expect([pages, missing, read.pages.length]).toEqual([1, [], 1]);
    expect(read).toMatchObject({
      title: 'Academic transcript, Zarmina Achakzai, 2022107',
      language: 'en-GB',
      isTagged: true,
      sizes: [{ width: 595, height: 842 }],
    });
    const [text = ''] = read.pages;
    for (const part of [
      'Rohtas College of Engineering',
      'Serial 2026-000294',
      'Issued 6 July 2026',
      'Page 1 of 1',
      'Provisional: the degree is in progress',
      'Zarmina Achakzai',
      'Haji Nazar',
      '19 January 2004',
      'MATH-101',
      'PHY-102',
      // An F that was taken again: in brackets, with a pointer to the other attempt.
      '(F) 0.0',
      'R in semester 2',
      'R of semester 2',
      'In progress, after semester 3',
      'the better grade counts (grading policy 3)',
      '7K3M-9QXD-42TB- A0ZN-7K3M-9QXD',
      ...['Prepared by', 'Checked by', 'Dr Shaheena Bangulzai'],
      ...['Bachelor of Engineering in Computer Engineering', 'Batch CE-44'],
      ...['Semester 1, Fall 2022', 'Semester 2, Spring 2023'],
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('UNOFFICIAL');
  });

  test('of eight semesters with ten long titles each fits on two pages, with all of them', async () => {
    const { pdf } = await renderDocument(aJob(aRecord({ subjects: 10 })));
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(2);
    expect(pages[1]).toContain('Page 2 of 2');
    // A page that is parted from the first says whose it is.
    for (const page of pages) {
      for (const part of ['Zarmina Achakzai', '2022107', '2026-000294']) expect(page).toContain(part);
    }
    const text = pages.join(' ');
    for (let i = 0; i < 80; i += 1) expect(text).toMatch(new RegExp(`\\b${i}\\b`));
    expect(text).toContain('Conditions of the degree fulfilled');
  });

  test('has a QR code that another program reads', async () => {
    const { pdf } = await renderDocument(aJob(aRecord({ semesters: 1 })));
    expect(await readQrCode(pdf, 1)).toBe(URL);
  });

  test('gives the same bytes for the same content', async () => {
    const job = aJob(aRecord(), { logo: await logo(), portrait: await logo() });
    const [first, second] = [await renderDocument(job), await renderDocument(job)];
    expect(Buffer.from(first.pdf).equals(second.pdf)).toBe(true);
  });

  test('that is unofficial has a watermark, and neither serial nor code', async () => {
    const { pdf } = await renderDocument(unofficial(aJob(aRecord({ semesters: 2 }))));
    const [text = ''] = (await readPdf(pdf)).pages;
    expect(text).toContain('UNOFFICIAL');
    expect(text).toContain('Printed 6 July 2026 by Hina Sabzwari');
    expect(text).not.toContain('2026-000294');
    expect(await readQrCode(pdf, 1)).toBeUndefined();
  });

  test.for([
    [
      'quotes and accents',
      { first_name: 'Zoë "Zed"', last_name: 'O’Neill-Łęcki' },
      'Zoë "Zed" O’Neill-Łęcki',
    ],
    ['Urdu', { first_name: 'زرمینہ', last_name: 'اچکزئی' }, 'زرمینہ اچکزئی'],
    ['Sindhi, whose letters one font lacks', { first_name: 'ٻڀٺٽ', last_name: 'ڏاھر' }, 'ٻڀٺٽ ڏاھر'],
  ] as const)('has a name with %s', async ([_which, student, name]) => {
    const { pdf, missing } = await renderDocument(aJob(aRecord({ semesters: 1 }, student)));
    expect(missing).toEqual([]);
    const text = (await readPdf(pdf)).pages.join(' ').replaceAll(/\s/g, '');
    // Readers give right-to-left text in either order.
    const plain = name.replaceAll(' ', '');
    const found = [plain, [...plain].reverse().join('')].some((one) => text.includes(one));
    expect(found, text.slice(0, 300)).toBe(true);
  });

  test('names the letters that no font has', async () => {
    const { missing } = await renderDocument(aJob(aRecord({ semesters: 1 }, { last_name: 'X 🎓' })));
    expect(missing).toEqual(['🎓']);
  });

  test('looks right without any details of the institution', async () => {
    const job = aJob(aRecord({ semesters: 1, subjects: 0 }));
    const institution = { name: null, short_name: null, address: null, logo: null, signatories: [] };
    const { pdf } = await renderDocument({ ...job, content: { ...job.content, institution } });
    const [text = ''] = (await readPdf(pdf)).pages;
    for (const part of ['Prepared by', 'Checked by', 'Controller of Examinations'])
      expect(text).toContain(part);
  });
});

describe('a result card', () => {
  test('has one semester on one page, and the averages of those before', async () => {
    const record = aRecord({ semesters: 5, subjects: 10 });
    const job = aJob(record);
    const content = {
      ...job.content,
      ...{ kind: 'result-card' as const, figures: computeFigures(record, 'result-card', 5) },
    };
    const { pdf } = await renderDocument({ ...job, content });
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(1);
    for (const part of [
      'Results of semester 5',
      'Semester 1',
      '3.00',
      '3.04',
      'Credits earned in all',
      'Batch CE-44',
    ]) {
      expect(pages[0]).toContain(part);
    }
    expect(pages[0]).not.toContain('Calculus and Analytical Geometry 0');
  });
});

test('semesters before entry have no figures on a result card', async () => {
  const record = aRecord({ semesters: 4, subjects: 2 });
  const semesters = record.semesters.map((own) =>
    own.semester < 3 ? { ...own, sgpa: 0, cgpa: 0, elsewhere: true as const } : own,
  );
  const subjects = record.subjects.filter(({ semester }) => semester > 2);
  const figures = computeFigures({ ...record, semesters, subjects }, 'result-card', 4);
  const job = aJob(record);
  const content = { ...job.content, kind: 'result-card' as const, semester: 4, figures };
  const { pdf } = await renderDocument({ ...job, content });
  const [text = ''] = (await readPdf(pdf)).pages;
  expect(text).toContain('Semester 1 before entry Semester 2 before entry Semester 3 3.02 Semester 4 3.03');
});

describe('many documents in one file', () => {
  test('are in the order of the IDs, after an index with their pages', async () => {
    const jobs = ['2022110', '2022009', '2022100'].map((id) => aJob(aRecord({ subjects: 10 }, { id })));
    const pieces: Uint8Array[] = [];
    for await (const piece of renderBatch(jobs)) pieces.push(piece);
    const { pages, outline } = await readPdf(Buffer.concat(pieces));
    expect(pages).toHaveLength(7);
    const [index = ''] = pages;
    expect(index).toContain('Academic transcripts of 3 students');
    expect(index).toMatch(/2022009 .* 2 2022100 .* 4 2022110 .* 6$/);
    expect(pages[3]).toContain('2022100');
    expect(outline.map((entry) => entry.split(' ')[0])).toEqual(['2022009', '2022100', '2022110']);
  });
});
