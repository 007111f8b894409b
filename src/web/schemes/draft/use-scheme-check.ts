import { useQuery } from '@tanstack/react-query';
import type { SchemeSummary } from '../../../contract/schemes/schemes.ts';
import { checkScheme, type SchemeFault } from '../../../domain/schemes/check-scheme.ts';
import { CourseGroups } from '../../../domain/schemes/equivalents.ts';
import type { SchemeRow } from '../../../domain/schemes/scheme.ts';
import { classesQuery } from '../../reports/reports-queries.ts';
import { policiesQuery, policyInForce } from '../../settings/grading/policy-queries.ts';
import { equivalentsQuery } from '../scheme-queries.ts';
import type { Catalogue } from './catalogue.ts';
import type { CellFaults, CellField, ReadDraft } from './draft-rows.ts';

/** A text of the check, with the cell that it leads to. */
export interface CheckLine {
  isRefusal: boolean;
  text: string;
  /** What stands in the cell, where the row is seen. */
  cellText: string;
  /** The row, and the cell of it; undefined for what is of the whole scheme. */
  at: { id: number; field: CellField } | undefined;
  semester: number | undefined;
}

export interface SchemeCheck {
  /** Refusals first. */
  lines: CheckLine[];
  refusals: number;
  /** By row: what stands in its cells. */
  faults: ReadonlyMap<number, CellFaults>;
  warnings: ReadonlyMap<number, CellFaults>;
}

const FIELD_OF_RULE: Partial<Record<string, CellField>> = {
  credits: 'hours',
  need: 'needs',
  title: 'title',
  'course-twice': 'code',
};

/** The check that the server makes before a scheme is put in force, of the rows as they are on the screen. */
export function useSchemeCheck(
  { department, degrees }: Pick<SchemeSummary, 'department' | 'degrees'>,
  read: ReadDraft,
  refused: ReadonlyMap<number, CellFaults>,
  catalogue: Catalogue,
): SchemeCheck {
  const { data: pairs = [] } = useQuery(equivalentsQuery);
  const { data: policies = [] } = useQuery(policiesQuery);
  const { data: classes = [] } = useQuery(classesQuery);
  const batches =
    degrees ??
    [...new Set(classes.flatMap((one) => (one.department === department ? one.degree : [])))].sort();
  const groupsOf = (degree: string | null) =>
    new CourseGroups(
      pairs.filter((pair) => pair.degrees === null || (degree !== null && pair.degrees.includes(degree))),
    );
  const { refusals, warnings } = checkScheme(
    read.rows.map(({ row }) => row),
    {
      courses: catalogue.courses,
      groups: (degrees ?? [null]).map(groupsOf),
      degreeCredits: batches.flatMap((degree) => {
        const rules = policyInForce(policies, degree)?.rules;
        return rules === undefined ? [] : { degree, credits: rules.degree_credits };
      }),
    },
  );
  const idOfKey = new Map(read.rows.map(({ id, row }) => [row.key, id]));
  const unread = [...read.faults, ...refused].flatMap(([id, faults]) => cellLines(id, faults));
  // The empty scheme has nothing else to be said of.
  const isUnread = unread.length > 0 && read.rows.length === 0;
  const toLine = (isRefusal: boolean) => {
    return ({ rule, text, keys: [key] }: SchemeFault<string>): CheckLine => {
      const field = FIELD_OF_RULE[rule];
      const id = key === undefined ? undefined : idOfKey.get(key);
      const row = read.rows.find((one) => one.id === id)?.row;
      const at = id !== undefined && field !== undefined ? { id, field } : undefined;
      const semester = row?.semester ?? semesterIn(text);
      const cellText = row === undefined ? text : toCellText({ rule, text }, row, catalogue);
      return { isRefusal, text, cellText, at, semester };
    };
  };
  const refusalLines = [...unread, ...(isUnread ? [] : refusals.map(toLine(true)))];
  const warningLines = warnings.map(toLine(false));
  return {
    lines: [...refusalLines, ...warningLines],
    refusals: refusalLines.length,
    faults: byRow(refusalLines),
    warnings: byRow(warningLines),
  };
}

/** The semester that a text about all rows of it names. */
const semesterIn = (text: string): number | undefined => {
  const [, number] = /^Semester (\d)/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number);
};

const UNMET_NEED = /^.* needs (.*), which no earlier semester has\.$/;

/** The same in fewer words: the row need not be named in its own cell. */
function toCellText(
  { rule, text }: { rule: string; text: string },
  { options, theory, lab }: SchemeRow,
  { courses }: Catalogue,
): string {
  const own = options.flatMap((id) => courses.get(id) ?? []);
  if (rule === 'title') return `Catalogue: ${own[0]?.course_name}`;
  if (rule === 'need') return text.replace(UNMET_NEED, 'No earlier semester has $1.');
  const other = own.find(({ credits }) => credits !== null && credits !== theory + lab);
  return rule === 'credits' && other ? `Catalogue: ${other.credits}` : text;
}

const cellLines = (id: number, faults: CellFaults): CheckLine[] =>
  (['code', 'title', 'hours', 'needs'] as const).flatMap((field) => {
    const text = faults[field];
    if (text === undefined) return [];
    return { isRefusal: true, text, cellText: text, at: { id, field }, semester: undefined };
  });

function byRow(lines: readonly CheckLine[]): Map<number, CellFaults> {
  const found = new Map<number, CellFaults>();
  for (const { at, cellText } of lines) {
    if (at === undefined) continue;
    const own = found.get(at.id) ?? {};
    own[at.field] ??= cellText;
    found.set(at.id, own);
  }
  return found;
}
