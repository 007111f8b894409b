import { Link } from '@tanstack/react-router';
import { Check, ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { OpenableClass, OpenedSheet, OpeningPreview } from '../../../contract/marksheets/openings.ts';
import { formatCount, formatStudentCount, plural } from '../../lib/format.ts';
import { openedClassText } from '../../settings/openings/opening-queries.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { LeftOutDialog } from './left-out-dialog.tsx';
import { classKey, type OpeningChoice, rowKey } from './use-opening-choice.ts';

interface PlannedSheetsProps {
  preview: OpeningPreview;
  classes: readonly OpenableClass[];
  choice: OpeningChoice;
}

/** The sheets that are made and kept, by class. Classes with rows that need a choice come first; others but the first are folded. */
export function PlannedSheets({ preview: { sheets, totals }, classes, choice }: PlannedSheetsProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [leftOut, setLeftOut] = useState<OpenedSheet>();
  const keys = [...new Set(sheets.map(classKey))];
  const hasChoice = (key: string) => sheets.some((one) => classKey(one) === key && one.options.length > 0);
  const ordered = [...keys.filter(hasChoice), ...keys.filter((key) => !hasChoice(key))];
  const places = new Map(ordered.map((key, i) => [key, i]));
  const placeOf = (one: OpenedSheet) => places.get(classKey(one)) ?? 0;
  const isFolded = (key: string) => (hasChoice(key) || key === ordered[0]) === toggled.has(key);
  const toggle = (key: string) =>
    setToggled((all) => (all.has(key) ? without(all, key) : new Set(all).add(key)));
  const out = sheets.reduce((sum, one) => sum + one.left_out.length, 0);
  return (
    <section aria-labelledby="planned-heading">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="planned-heading">{plural(totals.create + totals.keep, 'mark sheet')}</h2>
        <p role="status" className="text-fg-2 text-label">
          {totalsText(totals, out)}
        </p>
      </div>
      <TableContainer>
        <Table
          label={{ id: 'planned-heading' }}
          columns={toColumns(sheets, choice, setLeftOut)}
          rows={sheets.toSorted((a, b) => placeOf(a) - placeOf(b))}
          // Not by course: the choice stays open while courses are chosen in it.
          rowKey={(one) => `${rowKey(one)} ${sheetsOfRow(sheets, one).indexOf(one)}`}
          rowClass={() => 'max-md:gap-y-0.5 max-md:py-2.5'}
          group={{
            key: placeOf,
            isFolded: (place) => isFolded(ordered[place] ?? ''),
            head: (own) => <ClassHead own={own} classes={classes} isFolded={isFolded} onToggle={toggle} />,
          }}
          hasCards
        />
      </TableContainer>
      {leftOut && <LeftOutDialog planned={leftOut} onClose={() => setLeftOut(undefined)} />}
    </section>
  );
}

/** `89 new, 1 kept, 9 students left out, 3 rows skipped` */
const totalsText = ({ create, keep, skip }: OpeningPreview['totals'], out: number) =>
  [
    `${formatCount(create)} new`,
    ...(keep > 0 ? [`${formatCount(keep)} kept`] : []),
    ...(out > 0 ? [`${formatStudentCount(out)} left out`] : []),
    ...(skip > 0 ? [`${plural(skip, 'row')} skipped`] : []),
  ].join(', ');

const without = (all: ReadonlySet<string>, key: string) => new Set([...all].filter((one) => one !== key));

interface ClassHeadProps {
  own: readonly OpenedSheet[];
  classes: readonly OpenableClass[];
  isFolded: (key: string) => boolean;
  onToggle: (key: string) => void;
}

function ClassHead({ own, classes, isFolded, onToggle }: ClassHeadProps) {
  const [first] = own;
  if (first === undefined) return null;
  const key = classKey(first);
  const found = classes.find((one) => classKey(one) === key);
  const isClosed = isFolded(key);
  const Icon = isClosed ? ChevronRight : ChevronDown;
  const open = own.filter(({ options, course_id }) => options.length > 0 && course_id === null).length;
  const out = own.reduce((sum, { left_out }) => sum + left_out.length, 0);
  const made = own.filter(({ problem }) => problem === null).length;
  return (
    <button
      type="button"
      aria-expanded={!isClosed}
      onClick={() => onToggle(key)}
      className="flex min-h-6 w-full flex-wrap items-center gap-x-2.5 gap-y-0.5 text-start pointer-coarse:min-h-10"
    >
      <Icon className="size-4 shrink-0 text-fg-3" />
      <b className="wrap-anywhere font-[620] text-fg">{openedClassText(first)}</b>{' '}
      <span className="min-w-0 flex-1 font-normal max-md:order-1 max-md:basis-full max-md:ps-6.5">
        {found && `${formatStudentCount(found.students)}, scheme No. ${found.scheme?.number}`}
        {first.other_semester > 0 && `, ${formatCount(first.other_semester)} in other semesters`}
        {out > 0 && `, ${formatCount(out)} left out`}
      </span>{' '}
      {open > 0 && (
        <span className="flex items-center gap-1.5 text-warn">
          <TriangleAlert className="size-4" />
          {plural(open, 'choice')}
        </span>
      )}{' '}
      <span className="text-fg">{plural(made, 'sheet')}</span>
    </button>
  );
}

const toColumns = (
  sheets: readonly OpenedSheet[],
  choice: OpeningChoice,
  onLeftOut: (planned: OpenedSheet) => void,
): readonly Column<OpenedSheet>[] => [
  {
    head: 'Code',
    className: 'max-md:text-label max-md:text-fg-2 max-md:empty:hidden md:whitespace-nowrap',
    cell: ({ course_code }) => course_code,
  },
  { head: 'Course', className: 'strong wrap-anywhere max-md:-order-1', cell: ({ title }) => title },
  {
    head: 'Credits',
    isNumber: true,
    className: 'max-md:text-start max-md:text-label',
    cell: ({ credits }) => (
      <>
        {credits}
        <span className="md:hidden"> credits</span>
      </>
    ),
  },
  {
    head: 'Students',
    isNumber: true,
    className: 'max-md:text-start max-md:text-label',
    cell: (one) => {
      const { students, problem } = one;
      const isSplit = sheetsOfRow(sheets, one).length > 1;
      if (problem !== null) return '--';
      return (
        <>
          {formatCount(students)}
          <span className="md:hidden"> {students === 1 ? 'student' : 'students'}</span>
          {isSplit && students === 0 && <small className="block text-fg-3 text-label">begins empty</small>}
        </>
      );
    },
  },
  {
    head: 'Left out',
    className: 'max-md:empty:hidden',
    cell: (one) =>
      one.left_out.length > 0 && (
        <button type="button" className="link min-h-6 whitespace-nowrap" onClick={() => onLeftOut(one)}>
          {one.left_out.length} left out
          <span className="sr-only"> of {one.title}</span>
        </button>
      ),
  },
  {
    head: 'Note',
    className: 'max-md:col-span-2 max-md:empty:hidden',
    cell: (one) => <Note planned={one} isFirst={sheetsOfRow(sheets, one)[0] === one} choice={choice} />,
  },
];

/** Several where several courses are chosen for a row of the scheme. */
const sheetsOfRow = (sheets: readonly OpenedSheet[], planned: OpenedSheet) =>
  sheets.filter((one) => rowKey(one) === rowKey(planned));

interface NoteProps {
  planned: OpenedSheet;
  /** The first of the sheets of its row, which has the choice. */
  isFirst: boolean;
  choice: OpeningChoice;
}

function Note({ planned, isFirst, choice }: NoteProps) {
  const { sheet_id, problem, options, course_id } = planned;
  if (sheet_id !== null) {
    return (
      <span className="flex items-center gap-1.5 text-label">
        <Check className="size-3.5 shrink-0 text-ok" />
        <Link to="/marksheets/$sheetId" params={{ sheetId: String(sheet_id) }} className="link link-quiet">
          Kept, mark sheet {sheet_id}
        </Link>
      </span>
    );
  }
  const isOpen = options.length > 0 && course_id === null;
  return (
    <>
      {problem !== null && !isOpen && <span className="wrap-anywhere text-label text-warn">{problem}</span>}
      {options.length > 0 && isFirst && <CourseChoice planned={planned} choice={choice} />}
    </>
  );
}

/** The courses of a row of which one or several are taught. Of several the class lists begin empty. */
function CourseChoice({ planned, choice }: Omit<NoteProps, 'isFirst'>) {
  const chosen = new Set(choice.coursesOf(planned));
  const names = planned.options.filter(({ course_id }) => chosen.has(course_id));
  return (
    <details className="text-label">
      <summary className={`control min-h-8 cursor-pointer py-1 ${chosen.size === 0 ? 'border-warn' : ''}`}>
        <span className="sr-only">{planned.row}: </span>
        {names.length === 0 ? 'Choose courses' : names.map(({ course_code }) => course_code).join(', ')}
      </summary>
      <div className="max-h-56 overflow-y-auto px-1 pt-1">
        {planned.options.map(({ course_id, course_code, course_name }) => (
          <CheckBox
            key={course_id}
            isChecked={chosen.has(course_id)}
            onChange={(isChecked) => choice.chooseCourse(planned, course_id, isChecked)}
          >
            {course_code} {course_name}
          </CheckBox>
        ))}
      </div>
    </details>
  );
}
