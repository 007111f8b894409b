import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarPlus, Plus } from 'lucide-react';
import type { SheetListItem } from '../../contract/marksheets/sheets.ts';
import type { Term } from '../../contract/terms.ts';
import { calendarDate } from '../../domain/age.ts';
import { foldText } from '../../domain/search-text.ts';
import { foldCode, termMatcher } from '../courses/course-search.ts';
import { formatCount, formatDateTime, formatStudentCount, plural } from '../lib/format.ts';
import { useCanWrite, useCurrentUser, useIsTeacher } from '../lib/session.ts';
import { searchTerms } from '../lib/text-match.ts';
import { useDebouncedText } from '../lib/use-debounced.ts';
import { currentTerm } from '../settings/current-term.ts';
import { termsQuery } from '../settings/term-queries.ts';
import { ButtonLink } from '../ui/button.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { EmptyState, NoResults } from '../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { TableSkeleton } from '../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { FilterChip } from './filter-chip.tsx';
import { useSheetsSearchParams } from './search-params.ts';
import { classText, SHEET_STATES, STATE_NAMES } from './sheet-labels.ts';
import { sheetsQuery } from './sheet-queries.ts';
import { SheetStateTag } from './sheet-state-tag.tsx';
import './marksheets.css';

/** Mark sheets by term: those of the current one until another is chosen. */
export function SheetsPage() {
  const terms = useQuery(termsQuery);
  const { address } = useSheetsSearchParams();
  const chosen =
    address.term ?? String(currentTerm(terms.data ?? [], calendarDate(new Date()))?.term_id ?? 'all');
  const query = useQuery({
    ...sheetsQuery({
      ...(chosen !== 'all' && { term_id: Number(chosen) }),
      ...(address.teacher !== undefined && { teacher: address.teacher }),
    }),
    enabled: address.term !== undefined || terms.data !== undefined,
  });
  const canWrite = useCanWrite();
  const isTeacher = useIsTeacher();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const termSearch = chosen === 'all' ? {} : { term: chosen };
  const failed = [terms, query].find((one) => hasLoadError({ query: one }) && one.error !== null);
  return (
    <Page width="wide">
      <PageHeader
        title="Mark sheets"
        actions={
          <>
            {!isTeacher && (
              <ButtonLink to="/marksheets/notifications" variant="quiet">
                Result notifications
              </ButtonLink>
            )}
            {canWrite && <NewSheetLink isPrimary={!isAdmin} />}
            {isAdmin && terms.data && terms.data.length > 0 && (
              <ButtonLink to="/marksheets/open" search={termSearch} variant="primary">
                <CalendarPlus />
                Open a term
              </ButtonLink>
            )}
          </>
        }
      />
      {failed && <LoadError query={failed} />}
      {terms.data && <Filters terms={terms.data} chosen={chosen} sheets={query.data} />}
      {query.data ? (
        <FoundSheets sheets={query.data} terms={terms.data ?? []} chosen={chosen} />
      ) : (
        failed === undefined && <TableSkeleton />
      )}
    </Page>
  );
}

function NewSheetLink({ isPrimary = true }: { isPrimary?: boolean }) {
  return (
    <ButtonLink to="/marksheets/new" variant={isPrimary ? 'primary' : 'secondary'}>
      <Plus />
      New mark sheet
    </ButtonLink>
  );
}

/** The sheets that match the search and the state. */
function useFound(sheets: readonly SheetListItem[]): SheetListItem[] {
  const { q = '', state } = useSheetsSearchParams().address;
  const matches = termMatcher(searchTerms(q));
  return sheets.filter((sheet) => {
    const text = foldText(`${sheet.course_code} ${sheet.course_name} ${sheet.title} ${classText(sheet)}`);
    const isFound = matches(`${text} ${foldCode(sheet.course_code)}`);
    return (state === undefined || sheet.state === state) && isFound;
  });
}

const sheetCount = (count: number) => plural(count, 'mark sheet');

interface FiltersProps {
  terms: readonly Term[];
  chosen: string;
  /** Undefined while they are read. */
  sheets: readonly SheetListItem[] | undefined;
}

function Filters({ terms, chosen, sheets }: FiltersProps) {
  const { address, change } = useSheetsSearchParams();
  const search = useDebouncedText({ value: address.q ?? '', onApply: (q) => change({ q }) });
  const found = useFound(sheets ?? []).length;
  const canWrite = useCanWrite();
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <div className="flex min-w-0 flex-1 max-md:basis-full md:max-w-80">
        <SearchField
          label="Search mark sheets"
          placeholder="Search course or class"
          query={search.text}
          onQuery={search.type}
          onLeave={search.flush}
        />
      </div>
      <select
        aria-label="Term"
        value={chosen}
        onChange={(event) => change({ term: event.target.value })}
        className="control w-auto max-md:min-w-0 max-md:flex-[1_1_40%] pointer-fine:min-h-8.5"
      >
        <option value="all">Term: all</option>
        {terms.map(({ term_id, name }) => (
          <option key={term_id} value={term_id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="State"
        value={address.state ?? ''}
        onChange={(event) => change({ state: event.target.value })}
        className="control w-auto max-md:min-w-0 max-md:flex-[1_1_40%] pointer-fine:min-h-8.5"
      >
        <option value="">State: all</option>
        {SHEET_STATES.map((state) => (
          <option key={state} value={state}>
            {STATE_NAMES[state]}
          </option>
        ))}
      </select>
      {canWrite && (
        <FilterChip
          isOn={address.teacher === 'none'}
          onClick={() => change({ teacher: address.teacher === 'none' ? '' : 'none' })}
        >
          Without a teacher
        </FilterChip>
      )}
      <span role="status" className="ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full">
        {sheets !== undefined &&
          `${found < sheets.length ? `${formatCount(found)} of ` : ''}${sheetCount(sheets.length)}`}
      </span>
    </div>
  );
}

interface FoundSheetsProps {
  sheets: readonly SheetListItem[];
  terms: readonly Term[];
  chosen: string;
}

function FoundSheets({ sheets, terms, chosen }: FoundSheetsProps) {
  const canWrite = useCanWrite();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const { address, change } = useSheetsSearchParams();
  const found = useFound(sheets);
  if (sheets.length === 0 && address.teacher === 'none') {
    return (
      <NoResults
        title="Every mark sheet has a teacher"
        text="Confirmed ones are not looked at."
        action="Show all mark sheets"
        onClear={() => change({ q: '', state: '', teacher: '' })}
      />
    );
  }
  if (sheets.length === 0) {
    const term = terms.find(({ term_id }) => String(term_id) === chosen);
    return (
      <div className="rounded-panel border border-line">
        <EmptyState
          title={term === undefined ? 'No mark sheet has been made yet' : `No mark sheet in ${term.name}`}
          text={
            terms.length === 0
              ? `A mark sheet belongs to a term. ${isAdmin ? 'Add it in the settings first.' : 'An administrator adds the terms in the settings.'}`
              : 'A mark sheet takes the marks of a class in a course, and turns them into grades.'
          }
          action={
            terms.length > 0
              ? canWrite && <NewSheetLink />
              : isAdmin && (
                  <ButtonLink to="/settings/terms/create" variant="primary">
                    Add a term
                  </ButtonLink>
                )
          }
        />
      </div>
    );
  }
  if (found.length === 0) {
    return (
      <NoResults
        title="No mark sheet matches"
        text="Codes and names of courses and classes such as CE-46-A are searched."
        action="Clear search and state"
        onClear={() => change({ q: '', state: '' })}
      />
    );
  }
  return <SheetsTable sheets={found} />;
}

/** Sheets by term. Below 768 px a sheet is a card: what it is, beside its state. */
function SheetsTable({ sheets }: { sheets: readonly SheetListItem[] }) {
  return (
    <TableContainer>
      <Table
        label="Mark sheets"
        columns={COLUMNS}
        rows={sheets}
        rowKey={({ sheet_id }) => sheet_id}
        group={{
          key: ({ term_id }) => term_id,
          head: (ofTerm) => (
            <>
              <b className="me-1.5 font-[620] text-fg">{ofTerm[0]?.term_name}</b>{' '}
              <span>{termText(ofTerm)}</span>
            </>
          ),
        }}
        hasRowLinks
        hasCards
      />
    </TableContainer>
  );
}

/** `9 mark sheets: 3 draft, 6 confirmed` */
function termText(sheets: readonly SheetListItem[]): string {
  const counts = SHEET_STATES.flatMap((state) => {
    const count = sheets.filter((sheet) => sheet.state === state).length;
    return count === 0 ? [] : [`${count} ${STATE_NAMES[state].toLowerCase()}`];
  });
  return `${sheetCount(sheets.length)}: ${counts.join(', ')}`;
}

const COLUMNS: readonly Column<SheetListItem>[] = [
  { head: 'Code', className: 'max-md:hidden', cell: ({ course_code }) => course_code },
  {
    head: 'Subject',
    className: 'strong',
    cell: (sheet) => {
      const { who, when } = lastStep(sheet);
      return (
        <>
          <Link
            to="/marksheets/$sheetId"
            params={{ sheetId: String(sheet.sheet_id) }}
            className="wrap-anywhere"
            aria-label={`${sheet.title}, ${classText(sheet)}, ${sheet.term_name}`}
          >
            {sheet.title}
          </Link>
          {/* On small screens the row is a card without the cells of these. */}
          <span className="block font-normal text-fg-3 text-label md:hidden">
            {`${sheet.course_code}, ${classText(sheet)}, ${formatStudentCount(sheet.students)}, marks: ${shareText(sheet)}`}
            <span className="block">{`${when}${who === null ? '' : `, ${who}`}`}</span>
          </span>
        </>
      );
    },
  },
  { head: 'Class', className: 'max-md:hidden', cell: classText },
  {
    head: 'Students',
    isNumber: true,
    className: 'max-md:hidden',
    cell: ({ students }) => formatCount(students),
  },
  {
    head: 'Marks entered',
    className: 'max-md:hidden',
    cell: (sheet) => (
      <span className="flex items-center gap-2.5">
        <span aria-hidden="true" className="sheets-share">
          <i style={{ inlineSize: `${100 * sheet.filled_share}%` }} />
        </span>
        {shareText(sheet)}
      </span>
    ),
  },
  {
    head: 'State',
    className: 'max-md:max-w-38 max-md:text-end',
    cell: (sheet) => <SheetStateTag sheet={sheet} />,
  },
  {
    head: 'Last step',
    className: 'wrap-anywhere text-label max-md:hidden',
    cell: (sheet) => {
      const { who, when } = lastStep(sheet);
      return (
        <>
          {who !== null && <span className="block">{who}</span>}
          <span className="block text-fg-3">{when}</span>
        </>
      );
    },
  },
];

/** The share of cells that are filled; never `all` or `none` by rounding. */
function shareText({ filled_share }: SheetListItem): string {
  if (filled_share === 0) return 'none';
  return filled_share === 1 ? 'all' : `${Math.round(100 * filled_share)}\u00a0%`;
}

/** The latest step of a sheet: its creation or the change to its state, and by whom. */
function lastStep(sheet: SheetListItem): { who: string | null; when: string } {
  const [person, at] =
    sheet.confirmed_at !== null
      ? [sheet.confirmed_by, sheet.confirmed_at]
      : sheet.submitted_at !== null
        ? [sheet.submitted_by, sheet.submitted_at]
        : [sheet.created_by, sheet.created_at];
  return { who: person?.name ?? null, when: formatDateTime(at) };
}
