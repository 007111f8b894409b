import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, ChevronRight, CircleSlash, Ellipsis, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { AuditReply } from '../../../../contract/schemes/audit.ts';
import { isLacking, ROW_STATES, type RowState } from '../../../../domain/schemes/audit.ts';
import type { Need } from '../../../../domain/schemes/scheme.ts';
import { coursesQuery } from '../../../courses/course-queries.ts';
import { formatDay } from '../../../lib/format.ts';
import { useCurrentUser } from '../../../lib/session.ts';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import { schemeNeedsQuery } from './audit-queries.ts';
import { ExceptionDialog, TakeBackDialog } from './exception-dialog.tsx';
import { countState, missingText, STATE_LOOKS, statesText } from './row-states.ts';

type Row = AuditReply['rows'][number];
type Exception = AuditReply['exceptions'][number];

interface AuditRowsProps {
  studentId: string;
  audit: AuditReply;
  isOwn: boolean;
}

type OpenDialog =
  | { kind: 'substitute' | 'waive'; row: Row }
  | { kind: 'take-back'; exception: Exception }
  | undefined;

/** The rows by semester, with counts that filter them. A semester of which nothing is lacking is folded. */
export function AuditRows({ studentId, audit, isOwn }: AuditRowsProps) {
  const { rows, exceptions, scheme } = audit;
  const needs = useQuery({
    ...schemeNeedsQuery(scheme?.scheme_id ?? 0),
    enabled: rows.some(({ options }) => options.some(({ missing }) => missing.length > 0)),
  });
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [shown, setShown] = useState<RowState>();
  const [open, setOpen] = useState<OpenDialog>();
  const [folded, setFolded] = useState<ReadonlySet<number>>(
    () => new Set(rows.map(({ semester }) => semester).filter((one) => isDone(rows, one))),
  );
  const listed = shown === undefined ? rows : rows.filter(({ state }) => state === shown);
  const exceptionOf = (row: Row) => exceptions.find(({ row: key }) => isSameKey(key, row.key));
  const canDecide = isAdmin && isOwn;
  const columns: readonly Column<Row>[] = [
    {
      head: 'State',
      columnClass: 'md:w-36',
      className: 'max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end',
      cell: ({ state }) => <StateText state={state} />,
    },
    {
      head: 'Key',
      columnClass: 'md:w-36',
      className: 'wrap-anywhere max-md:col-start-1 max-md:row-start-2 max-md:text-label',
      cell: ({ key }) => key,
    },
    {
      head: 'Row',
      isRowHead: true,
      className: 'strong wrap-anywhere max-md:col-start-1 max-md:row-start-1',
      cell: ({ title }) => title,
    },
    {
      head: 'Credits',
      isNumber: true,
      columnClass: 'md:w-20',
      className: 'max-md:col-start-2 max-md:row-start-2',
      cell: ({ credits }) => (credits === 0 ? 'none' : credits),
    },
    {
      head: 'Filled by, or what is open',
      className: 'wrap-anywhere max-md:col-span-full',
      cell: (row) => (
        <Filling
          row={row}
          audit={audit}
          exception={exceptionOf(row)}
          needs={needs.data?.get(row.key) ?? []}
        />
      ),
    },
    ...(canDecide
      ? [
          {
            head: 'Change',
            isHeadHidden: true,
            columnClass: 'screen-only md:w-16',
            className: 'max-md:col-start-2 max-md:row-start-4 max-md:justify-self-end',
            cell: (row: Row) => <RowMenu row={row} exception={exceptionOf(row)} onOpen={setOpen} />,
          } as const,
        ]
      : []),
  ];
  return (
    <>
      <Counts rows={rows} shown={shown} onShow={setShown} />
      <TableContainer>
        <Table
          label="Rows of the scheme"
          columns={columns}
          rows={listed}
          rowKey={({ key }) => key}
          isCompact
          hasCards
          group={{
            key: ({ semester }) => semester,
            isFolded: (semester) => shown === undefined && folded.has(semester),
            head: (own) => {
              const semester = own[0]?.semester ?? 0;
              return (
                <SemesterHead
                  semester={semester}
                  rows={rows.filter((row) => row.semester === semester)}
                  isFolded={shown === undefined && folded.has(semester)}
                  onFold={() =>
                    setFolded((now) =>
                      now.has(semester)
                        ? new Set([...now].filter((one) => one !== semester))
                        : new Set([...now, semester]),
                    )
                  }
                />
              );
            },
          }}
        />
      </TableContainer>
      {open?.kind === 'take-back' && (
        <TakeBackDialog studentId={studentId} exception={open.exception} onClose={() => setOpen(undefined)} />
      )}
      {(open?.kind === 'substitute' || open?.kind === 'waive') && (
        <ExceptionDialog
          studentId={studentId}
          audit={audit}
          row={open.row}
          kind={open.kind}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

const isSameKey = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const isDone = (rows: readonly Row[], semester: number) =>
  rows.every((row) => row.semester !== semester || !isLacking(row.state));

function StateText({ state }: { state: RowState }) {
  const { name, Icon, tone } = STATE_LOOKS[state];
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${tone}`}>
      <Icon className="size-3.5 shrink-0" />
      {name}
    </span>
  );
}

interface CountsProps {
  rows: readonly Row[];
  shown: RowState | undefined;
  onShow: (state: RowState | undefined) => void;
}

/** The number of rows in each state; each shows those rows alone. */
function Counts({ rows, shown, onShow }: CountsProps) {
  const options = [
    { state: undefined, name: 'All rows', count: rows.length },
    ...ROW_STATES.map((state) => ({
      state,
      name: STATE_LOOKS[state].name,
      count: countState([...rows], state),
    })),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form; these buttons filter the rows.
    <div
      role="group"
      aria-label="Rows by state"
      className="screen-only grid grid-cols-2 overflow-clip rounded-panel border border-line xs:grid-cols-4 lg:grid-cols-7"
    >
      {options.map(({ state, name, count }) => (
        <button
          key={name}
          type="button"
          aria-pressed={shown === state}
          onClick={() => onShow(state)}
          className="-ms-px -mt-px border-line border-s border-t px-3.5 py-2 text-start -outline-offset-2 hover:bg-hover aria-pressed:bg-ink-soft"
        >
          <span className="block text-caption text-fg-2">{name}</span>
          <b
            className={`block font-[620] text-[1.25rem] leading-7 ${state === 'failed' && count > 0 ? 'text-danger-text' : ''}`}
          >
            {count}
          </b>
        </button>
      ))}
    </div>
  );
}

interface SemesterHeadProps {
  semester: number;
  rows: Row[];
  isFolded: boolean;
  onFold: () => void;
}

function SemesterHead({ semester, rows, isFolded, onFold }: SemesterHeadProps) {
  const all = rows.reduce((sum, { credits }) => sum + credits, 0);
  const done = rows.reduce((sum, { credits, state }) => sum + (isLacking(state) ? 0 : credits), 0);
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={onFold}
      className="-mx-2 flex min-h-8 w-[calc(100%+16px)] flex-wrap items-center gap-x-2 rounded-control px-2 text-start text-label hover:bg-hover"
    >
      <ChevronRight className={`screen-only size-3.5 shrink-0 text-fg-3 ${isFolded ? '' : 'rotate-90'}`} />
      <span className="font-[620] text-fg">Semester {semester}</span>
      <span className="font-normal text-fg-2">{statesText(rows)}</span>
      <span className="ms-auto font-normal text-fg-2">
        {done} of {all}
        <span className="sr-only"> credits</span>
      </span>
    </button>
  );
}

interface FillingProps {
  row: Row;
  audit: AuditReply;
  exception: Exception | undefined;
  /** Of the row, met or not. */
  needs: readonly Need[];
}

/** What fills a row; of a lacking one also the options and what they need. */
function Filling({ row, audit, exception, needs }: FillingProps) {
  const { filled_by: filling, state, title, options } = row;
  return (
    <span className="grid gap-0.5">
      {filling?.kind === 'attempt' && (
        <span>
          <b className="font-semibold text-fg">{filling.letter}</b>
          {filling.title !== title && ` in ${filling.title},`} in semester {filling.semester}
        </span>
      )}
      {filling?.kind === 'sheet' && (
        <span>
          On{' '}
          <Link
            to="/marksheets/$sheetId"
            params={{ sheetId: String(filling.sheet_id) }}
            className="link link-quiet"
          >
            mark sheet {filling.sheet_id}
          </Link>
          , not confirmed yet
        </span>
      )}
      {filling?.kind === 'outside' && <Outside filling={filling} audit={audit} />}
      {state === 'waived' && <span>No credits</span>}
      {exception && (
        <span className="text-fg-2 text-label">
          {exception.course_id === null ? 'Waived' : 'Substituted'} by {exception.by.name},{' '}
          {formatDay(exception.at)}: {exception.reason}
        </span>
      )}
      {isLacking(state) && <Options options={options} needs={needs} />}
    </span>
  );
}

function Outside({ filling, audit }: { filling: NonNullable<Row['filled_by']>; audit: AuditReply }) {
  const credit = audit.outside_credits.find(({ outside_id }) => outside_id === filling.outside_id);
  return (
    <span>
      {filling.letter !== null && <b className="font-semibold text-fg">{filling.letter} </b>}
      from elsewhere: {filling.title}
      {credit && `, ${credit.institution}, ${credit.credits} credits`}
    </span>
  );
}

/** Options that are named; an elective may have forty. */
const MOST_OPTIONS = 4;

function Options({ options, needs }: Pick<Row, 'options'> & Pick<FillingProps, 'needs'>) {
  const { data: courses = [] } = useQuery(coursesQuery);
  const codeOf = (id: number) => courses.find(({ course_id }) => course_id === id)?.course_code ?? `${id}`;
  const missing = options[0]?.missing ?? [];
  const kindOf = (id: number) => needs.find(({ course_id }) => course_id === id)?.kind ?? 'before';
  const named = options
    .slice(0, MOST_OPTIONS)
    .map(({ course_code, course_name }) =>
      options.length === 1 ? `${course_code} ${course_name}` : course_code,
    );
  const more = options.length - named.length;
  return (
    <span className="text-fg-2 text-label">
      {named.join(' or ')}
      {more > 0 && ` or ${more} more`}
      {missing.length > 0 && (
        <span className="text-warn">
          ; {missingText(missing.map((id) => ({ code: codeOf(id), kind: kindOf(id) })))}
        </span>
      )}
    </span>
  );
}

interface RowMenuProps {
  row: Row;
  exception: Exception | undefined;
  onOpen: (dialog: OpenDialog) => void;
}

/** What an administrator may decide about a row. A row that is filled from elsewhere takes no exception. */
function RowMenu({ row, exception, onOpen }: RowMenuProps) {
  if (row.filled_by?.kind === 'outside') return null;
  const items: MenuItem[] =
    exception === undefined
      ? [
          {
            label: 'Substitute…',
            Icon: ArrowLeftRight,
            onSelect: () => onOpen({ kind: 'substitute', row }),
          },
          { label: 'Waive…', Icon: CircleSlash, onSelect: () => onOpen({ kind: 'waive', row }) },
        ]
      : [
          {
            label: exception.course_id === null ? 'Take back the waiver…' : 'Take back the substitution…',
            Icon: Undo2,
            onSelect: () => onOpen({ kind: 'take-back', exception }),
          },
        ];
  return (
    <Menu
      label={`Change ${row.key}`}
      button={<Ellipsis className="!ms-0" />}
      groups={[{ items }]}
      className="min-h-8 border-transparent! bg-transparent! px-2! shadow-none!"
    />
  );
}
