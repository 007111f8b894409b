import type { Report, ReportExportQuery } from '../../contract/grading/reports.ts';
import type { ExportFormat } from '../../contract/students/export.ts';
import { isInResultGroup } from '../../domain/grading/class-results.ts';
import { DEGREE_RULE_TITLES, DEGREE_RULES } from '../../domain/grading/degree.ts';
import { ATTENDANCE_PARTS, attendanceText } from '../../domain/marksheets/attendance.ts';
import type { Db } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import type { Column } from '../students/export/columns.ts';
import { toCsv } from '../students/export/csv.ts';
import { toXlsx } from '../students/export/xlsx.ts';
import { readAuditReport } from './audit.ts';
import { readDeansList } from './deans-list.ts';
import { readDegreeChecks, readRanking, readResultSummary } from './reports.ts';
import { readShortage } from './shortage.ts';

/** A report as the rows of a file: a cell for each column. */
interface ReportTable {
  columns: readonly Omit<Column<Cells>, 'value'>[];
  rows: readonly Cells[];
}
type Cells = readonly (string | number | null)[];

interface NamedStudent {
  id: string;
  first_name: string;
  last_name: string;
  syn: string;
}

const STUDENT = [
  { title: 'CMS ID', kind: 'text', width: 14 },
  { title: 'First Name', kind: 'text', width: 18 },
  { title: 'Last Name', kind: 'text', width: 18 },
  { title: 'Syndicate', kind: 'text', width: 12 },
] as const satisfies ReportTable['columns'];

const studentCells = ({ id, first_name, last_name, syn }: NamedStudent) => [id, first_name, last_name, syn];
const yesNo = (is: boolean) => (is ? 'Yes' : 'No');

/** Reads each report as the rows of its file. */
const TABLES: Readonly<Record<Report, (db: Db, asked: ReportExportQuery) => Promise<ReportTable>>> = {
  ranking: async (db, { department, degree, syn, semester, by }) => {
    const { ranked, unranked } = await readRanking(db, { department, degree, syn, semester, by });
    return {
      columns: [
        { title: 'Rank', kind: 'number', width: 8 },
        ...STUDENT,
        { title: by === 'cgpa' ? 'CGPA' : 'SGPA', kind: 'points', width: 9 },
        { title: 'Percentile', kind: 'points', width: 12 },
        { title: 'Why not ranked', kind: 'text', width: 34 },
      ],
      rows: [
        ...ranked.map(({ rank, value, percentile, ...student }) => [
          rank,
          ...studentCells(student),
          value,
          percentile,
          null,
        ]),
        ...unranked.map(({ reason, ...student }) => [null, ...studentCells(student), null, null, reason]),
      ],
    };
  },
  'result-summary': async (db, { department, degree, syn, semester, group }) => {
    const { students } = await readResultSummary(db, { department, degree, syn, semester });
    return {
      columns: [
        ...STUDENT,
        { title: 'SGPA', kind: 'points', width: 9 },
        { title: 'CGPA', kind: 'points', width: 9 },
        { title: 'F', kind: 'number', width: 6 },
        { title: 'Complete', kind: 'text', width: 12 },
      ],
      rows: students
        .filter(({ fails, is_complete }) => isInResultGroup({ fails, isComplete: is_complete }, group))
        .map(({ sgpa, cgpa, fails, is_complete, is_graded, ...student }) => [
          ...studentCells(student),
          is_graded ? sgpa : null,
          cgpa,
          fails,
          yesNo(is_complete),
        ]),
    };
  },
  'deans-list': async (db, { department, degree, syn, semester }) => {
    const { students, least_sgpa } = await readDeansList(db, { department, degree, syn, semester });
    return {
      columns: [
        ...STUDENT,
        { title: 'SGPA', kind: 'points', width: 9 },
        { title: `SGPA from ${least_sgpa.toFixed(2)}`, kind: 'text', width: 16 },
        { title: 'All graded', kind: 'text', width: 12 },
        { title: 'No F', kind: 'text', width: 8 },
        { title: 'On the list', kind: 'text', width: 12 },
      ],
      rows: students.map(({ sgpa, has_sgpa, is_complete, has_no_fails, is_listed, ...student }) => [
        ...studentCells(student),
        sgpa,
        ...[has_sgpa, is_complete, has_no_fails, is_listed].map(yesNo),
      ]),
    };
  },
  'degree-check': async (db, { department, degree, syn }) => {
    const { students } = await readDegreeChecks(db, { department, degree, syn });
    // A rule without a line, as that of a scheme where there is none, has no column.
    const rules = DEGREE_RULES.filter(
      (rule) => rule !== 'scheme' || students.some(({ lines }) => lines.some((line) => line.rule === rule)),
    );
    return {
      columns: [
        ...STUDENT,
        { title: 'Result', kind: 'text', width: 12 },
        ...rules.map((rule) => ({
          title: DEGREE_RULE_TITLES[rule],
          kind: 'text' as const,
          width: 34,
        })),
      ],
      rows: students.map(({ passed, lines, ...student }) => [
        ...studentCells(student),
        passed === null ? 'Unknown' : passed ? 'Passed' : 'Failed',
        ...rules.map((rule) => {
          const line = lines.find((one) => one.rule === rule);
          return line === undefined ? null : `${STATE_WORDS[line.state]}: ${line.text}`;
        }),
      ]),
    };
  },
  audit: async (db, { department, degree, syn }) => {
    const { students } = await readAuditReport(db, { department, degree, syn });
    return {
      columns: [
        ...STUDENT,
        { title: 'Complete', kind: 'text', width: 12 },
        { title: 'Lacking', kind: 'number', width: 10 },
        { title: 'Lacking rows', kind: 'text', width: 40 },
        { title: 'In progress', kind: 'text', width: 34 },
        { title: 'Credits', kind: 'number', width: 10 },
      ],
      rows: students.map(({ complete, lacking, in_progress, credits, ...student }) => [
        ...[...studentCells(student), yesNo(complete), lacking.length],
        ...[lacking.join(', '), in_progress.join(', '), credits],
      ]),
    };
  },
  shortage: async (db, { term_id, department, degree, syn }) => {
    if (term_id === undefined) throw invalidField('term_id', 'The term id field is required.');
    const rows = await readShortage(db, { term_id, department, degree, syn });
    return {
      columns: [
        ...STUDENT.slice(0, 3),
        { title: 'Course', kind: 'text', width: 14 },
        { title: 'Title', kind: 'text', width: 34 },
        { title: 'Theory', kind: 'text', width: 22 },
        { title: 'Theory needed', kind: 'number', width: 14 },
        { title: 'Lab', kind: 'text', width: 22 },
        { title: 'Lab needed', kind: 'number', width: 12 },
        { title: 'Together', kind: 'points', width: 10 },
        { title: 'Short', kind: 'text', width: 8 },
        { title: 'Condoned by', kind: 'text', width: 20 },
        { title: 'Reason', kind: 'text', width: 34 },
      ],
      rows: rows.map((row) => [
        ...[row.student_id, row.first_name, row.last_name, row.course_code, row.title],
        ...ATTENDANCE_PARTS.flatMap((name) => {
          const figure = row[name];
          return [figure === null ? null : attendanceText(figure), row.needed[name]];
        }),
        ...[row.percent, yesNo(row.short), row.condoned?.by.name ?? null, row.condoned?.reason ?? null],
      ]),
    };
  },
};

const STATE_WORDS = { pass: 'Yes', fail: 'No', unknown: 'Unknown' } as const;

/** A report as a file. It has a row for each student of a class, so it is built in memory as a whole. */
export async function exportReport(
  db: Db,
  asked: ReportExportQuery,
  format: ExportFormat,
): Promise<{ file: Buffer<ArrayBuffer>; rows: number }> {
  const { columns, rows } = await TABLES[asked.report](db, asked);
  const table = {
    columns: columns.map((column, i): Column<Cells> => ({ ...column, value: (row) => row[i] ?? null })),
    pages: onePage(rows),
  };
  const { bom, separator } = asked;
  const file = format === 'csv' ? toCsv(table, { bom: bom === 'true', separator }) : toXlsx(table);
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(Buffer.from(chunk));
  return { file: Buffer.concat(chunks), rows: rows.length };
}

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

const SEMESTER_REPORTS = ['ranking', 'result-summary', 'deans-list'] as const satisfies readonly Report[];

/** What was asked for of a report, as its history entry says it. */
export const toExportView = ({
  report,
  department,
  degree,
  syn,
  semester,
  by,
  group,
  term_id,
}: ReportExportQuery) => ({
  ...(report === 'shortage' && { term_id }),
  department,
  degree,
  syn,
  ...(SEMESTER_REPORTS.some((one) => one === report) && { semester }),
  ...(report === 'ranking' && { by }),
  ...(report === 'result-summary' && { group }),
});
