import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Undo2 } from 'lucide-react';
import type { SheetListItem } from '../../contract/marksheets/sheets.ts';
import type { Term } from '../../contract/terms.ts';
import { calendarDate } from '../../domain/age.ts';
import { formatCount, formatDate, formatDay, formatStudentCount, plural } from '../lib/format.ts';
import { classText } from '../marksheets/sheet-labels.ts';
import { sheetsQuery } from '../marksheets/sheet-queries.ts';
import { SheetStateTag } from '../marksheets/sheet-state-tag.tsx';
import { termsQuery } from '../settings/term-queries.ts';
import { ButtonLink } from '../ui/button.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Tag } from '../ui/tag.tsx';
import { Section, SkeletonRows } from './section.tsx';

/** The mark sheets of a teacher by term, the earliest first: how full each is, and the one next step. */
export function TaughtSheets() {
  const query = useQuery(sheetsQuery({}));
  const terms = useQuery(termsQuery);
  const sheets = query.data;
  if (sheets === undefined) {
    return (
      <>
        <LoadError query={query} />
        {query.isFetching && <SkeletonRows />}
      </>
    );
  }
  const open = sheets.filter(({ state }) => state !== 'confirmed');
  const earlier = sheets.filter(({ state }) => state === 'confirmed');
  const byTerm = groupByTerm(open, terms.data ?? []);
  const firstDue = byTerm.flatMap(({ own }) => own).find(({ state }) => state === 'draft');
  return (
    <>
      {open.length === 0 && (
        <Section title="Your mark sheets" count={0}>
          <p className="py-2.5 text-fg-2">
            Nothing is waiting. Mark sheets that name you as their teacher come here.
          </p>
        </Section>
      )}
      {byTerm.map(({ name, dates, own }) => (
        <section key={own[0]?.term_id} aria-label={name}>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2">
            <h2 className="wrap-anywhere min-w-0">{name}</h2>
            {dates && <TermDates {...dates} />}
          </div>
          <ul className="divide-y divide-line overflow-clip rounded-panel border border-line">
            {own.map((sheet) => (
              <OpenSheet key={sheet.sheet_id} sheet={sheet} isFirst={sheet === firstDue} />
            ))}
          </ul>
        </section>
      ))}
      {earlier.length > 0 && (
        <Section title="Earlier">
          <ul>
            {earlier.map((sheet) => (
              <li key={sheet.sheet_id} className="border-line border-b">
                <Link to="/marksheets/$sheetId" params={toParams(sheet)} className="home-row">
                  <span className="wrap-anywhere flex min-w-0 flex-wrap items-baseline gap-x-2.5">
                    <span className="font-[560] text-fg">
                      {sheet.course_code} {sheet.title}
                    </span>
                    <span className="text-fg-2 text-label">
                      {sheet.term_name}, {classText(sheet)}, {formatStudentCount(sheet.students)}
                    </span>
                  </span>
                  <SheetStateTag sheet={sheet} />
                  <ChevronRight className="size-3.5 text-fg-3" />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const toParams = ({ sheet_id }: SheetListItem) => ({ sheetId: String(sheet_id) });

/** The terms of these sheets, the earliest start first; the oldest sheets of each first. */
function groupByTerm(sheets: readonly SheetListItem[], terms: readonly Term[]) {
  const ids = [...new Set(sheets.map(({ term_id }) => term_id))];
  return ids
    .map((id) => ({
      dates: terms.find(({ term_id }) => term_id === id),
      own: sheets.filter(({ term_id }) => term_id === id).toSorted((a, b) => a.sheet_id - b.sheet_id),
    }))
    .map(({ dates, own }) => ({ name: own[0]?.term_name ?? '', dates, own }))
    .toSorted((a, b) => (a.dates?.starts_on ?? '').localeCompare(b.dates?.starts_on ?? ''));
}

const MS_PER_DAY = 24 * 3_600_000;

function TermDates({ starts_on, ends_on }: Pick<Term, 'starts_on' | 'ends_on'>) {
  const today = calendarDate(new Date());
  if (today <= ends_on) {
    return <p className="text-fg-2 text-label">{`${formatDate(starts_on)} to ${formatDate(ends_on)}`}</p>;
  }
  const days = Math.round((Date.parse(today) - Date.parse(ends_on)) / MS_PER_DAY);
  const since = days < 14 ? plural(days, 'day') : plural(Math.floor(days / 7), 'week');
  return <p className="text-label text-warn">{`ended ${formatDate(ends_on)}, ${since} ago`}</p>;
}

interface Step {
  /** What comes next. */
  text: string;
  isDue: boolean;
  detail?: string;
  /** The button that leads there. */
  action: string;
  tab?: 'results';
}

function nextStep({ state, sent_back, missing, students, submitted_at }: SheetListItem): Step {
  if (state !== 'draft') {
    return {
      text: 'Waits for confirmation',
      isDue: false,
      ...(submitted_at !== null && { detail: `Submitted on ${formatDay(submitted_at)}` }),
      action: 'Open',
    };
  }
  if (sent_back !== null) {
    return {
      text: `Sent back by ${sent_back.by.name}`,
      isDue: true,
      detail: `“${sent_back.reason}” ${formatDay(sent_back.at)}`,
      action: 'Look at it',
    };
  }
  if (students === 0) {
    return { text: 'No students yet', isDue: false, detail: 'The office adds them.', action: 'Open' };
  }
  if (missing.cells > 0) {
    return { text: `Enter ${plural(missing.cells, 'mark')}`, isDue: true, action: 'Enter marks' };
  }
  return { text: 'Check and submit', isDue: true, action: 'Submit', tab: 'results' };
}

function OpenSheet({ sheet, isFirst }: { sheet: SheetListItem; isFirst: boolean }) {
  const { missing } = sheet;
  const step = nextStep(sheet);
  const entered = missing.of - missing.cells;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-7 gap-y-2.5 px-4.5 py-3 md:grid-cols-[minmax(0,1fr)_12rem_minmax(0,14rem)_7.5rem]">
      <div className="wrap-anywhere min-w-0">
        <Link
          to="/marksheets/$sheetId"
          params={toParams(sheet)}
          className="link link-quiet font-[600] text-section"
        >
          {sheet.title}
        </Link>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-fg-2 text-label">
          {sheet.course_code}, {classText(sheet)}, {formatStudentCount(sheet.students)}
          {sheet.sent_back !== null && sheet.state === 'draft' ? (
            <Tag tone="warn" icon={<Undo2 aria-hidden="true" />}>
              Sent back
            </Tag>
          ) : (
            <SheetStateTag sheet={sheet} />
          )}
        </p>
      </div>
      <div className="grid gap-1">
        <progress
          className="progress w-full"
          aria-label={`Marks entered of ${sheet.title}`}
          value={entered}
          max={Math.max(1, missing.of)}
        />
        <span className="text-fg-2 text-label">{enteredText(entered, missing.of)}</span>
      </div>
      <div className="wrap-anywhere min-w-0 text-label">
        <p className={step.isDue ? 'font-[600] text-warn' : 'font-[560]'}>{step.text}</p>
        {step.detail !== undefined && <p className="text-fg-2">{step.detail}</p>}
      </div>
      <ButtonLink
        to={`/marksheets/${sheet.sheet_id}${step.tab === undefined ? '' : `/${step.tab}`}`}
        variant={isFirst ? 'primary' : 'secondary'}
        aria-label={`${step.action}: ${sheet.title}, ${classText(sheet)}`}
        className="max-md:justify-self-start"
      >
        {step.action}
      </ButtonLink>
    </li>
  );
}

function enteredText(entered: number, of: number): string {
  if (entered === 0) return 'none yet';
  return entered === of ? 'all marks' : `${formatCount(entered)} of ${formatCount(of)} marks`;
}
