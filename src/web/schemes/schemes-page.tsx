import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, Check, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { SchemeSummary } from '../../contract/schemes/schemes.ts';
import { DEPARTMENT_CODES, DEPARTMENTS, type Department } from '../../domain/student.ts';
import { formatCount, formatDay, formatStudentCount } from '../lib/format.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { toBatchOptions } from '../reports/class-options.ts';
import { classesQuery } from '../reports/reports-queries.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { TableSkeleton } from '../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { NewSchemeDialog } from './new-scheme-dialog.tsx';
import { batchList, countTotals, equivalentsQuery, findInForce, schemesQuery } from './scheme-queries.ts';

/** Which class has which scheme, then drafts and published schemes. */
export function SchemesPage() {
  const schemes = usePageQuery({ ...schemesQuery, loading: 'schemes' });
  const { data: pairs } = useQuery(equivalentsQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="schemes-heading">Schemes of studies</h2>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/settings/schemes/equivalents" variant="quiet">
            <ArrowLeftRight />
            Equivalents{pairs !== undefined && pairs.length > 0 && ` ${formatCount(pairs.length)}`}
          </ButtonLink>
          <Button variant="primary" onClick={() => setIsAdding(true)}>
            <Plus />
            New scheme
          </Button>
        </div>
      </div>
      <LoadError query={schemes} />
      {schemes.data === undefined && !hasLoadError({ query: schemes }) && <TableSkeleton />}
      {schemes.data?.length === 0 && (
        <EmptyState
          title="No scheme has been made yet."
          text="A scheme is what a degree consists of, semester by semester. Until one is in force for a class, its students have no audit."
        />
      )}
      {schemes.data && schemes.data.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <InForce schemes={schemes.data} />
          <TableContainer>
            <Table
              label={{ id: 'schemes-heading' }}
              columns={COLUMNS}
              rows={schemes.data}
              rowKey={({ scheme_id }) => scheme_id}
              hasRowLinks
              hasCards
            />
          </TableContainer>
        </div>
      )}
      {isAdding && <NewSchemeDialog schemes={schemes.data ?? []} onClose={() => setIsAdding(false)} />}
    </>
  );
}

interface ClassScheme {
  degree: string;
  students: number;
  scheme: SchemeSummary | undefined;
}

/** The scheme of each class that has students. */
function InForce({ schemes }: { schemes: readonly SchemeSummary[] }) {
  const classes = useQuery(classesQuery);
  if (classes.data === undefined) return <LoadError query={classes} />;
  const batches = toBatchOptions(new Set(classes.data.map(({ degree }) => degree)))
    .map(({ value }) => value)
    .reverse();
  if (batches.length === 0) return null;
  const rows = DEPARTMENT_CODES.map((department) => ({
    department,
    classes: batches.map((degree): ClassScheme => {
      const own = classes.data.filter((one) => one.department === department && one.degree === degree);
      return {
        degree,
        students: own.reduce((sum, one) => sum + one.students, 0),
        scheme: findInForce(schemes, { department, degree }),
      };
    }),
  }));
  const without = rows.flatMap(({ department, classes: own }) =>
    own.flatMap(({ degree, students, scheme }) =>
      students > 0 && scheme === undefined ? { name: `${department}-${degree}`, students } : [],
    ),
  );
  return (
    <div>
      <TableContainer canScroll className="overflow-x-auto">
        <Table
          label="The scheme in force for each class"
          columns={[
            { head: 'In force for', isRowHead: true, className: 'strong', cell: departmentCell },
            ...batches.map(
              (degree, i): Column<(typeof rows)[number]> => ({
                head: degree,
                columnClass: 'text-center',
                cell: ({ classes: own }) => <ClassCell {...own[i]} />,
              }),
            ),
          ]}
          rows={rows}
          rowKey={({ department }) => department}
          isCompact
        />
      </TableContainer>
      <p className="mt-3 max-w-[80ch] text-fg-2 text-label">
        {without.length > 0 && `${withoutText(without)} `}Of several for a class the highest number is in
        force.
      </p>
    </div>
  );
}

const departmentCell = ({ department }: { department: Department }) => (
  <>
    {department} <span className="ms-1 font-normal text-fg-2 max-md:hidden">{DEPARTMENTS[department]}</span>
  </>
);

function ClassCell({ students = 0, scheme }: Partial<ClassScheme>) {
  if (scheme !== undefined && students > 0)
    return (
      <Link
        to="/settings/schemes/$schemeId"
        params={{ schemeId: String(scheme.scheme_id) }}
        className="link link-quiet whitespace-nowrap leading-6"
      >
        No. {scheme.number}
      </Link>
    );
  return students > 0 ? <Tag tone="warn">None</Tag> : <span className="text-fg-3">--</span>;
}

/** Classes that are named. */
const MOST_NAMED = 3;

function withoutText(classes: readonly { name: string; students: number }[]): string {
  const students = classes.reduce((sum, one) => sum + one.students, 0);
  const named = classes.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = classes.length - named.length;
  const names = more === 0 ? named.join(', ') : `${named.join(', ')} and ${formatCount(more)} more`;
  return `${names} ${classes.length === 1 ? 'has' : 'have'} no scheme: ${formatStudentCount(students)} without an audit, and without its line in the degree check.`;
}

export function SchemeStateTag({ scheme: { number, in_force } }: { scheme: SchemeSummary }) {
  if (number === null)
    return (
      <Tag tone="warn" icon={<Pencil />}>
        Draft
      </Tag>
    );
  return in_force ? (
    <Tag tone="ok" icon={<Check />}>
      In force
    </Tag>
  ) : (
    <Tag>Superseded</Tag>
  );
}

/** Below 768 px each scheme is the name beside its state, over number, department and batches. */
const COLUMNS: readonly Column<SchemeSummary>[] = [
  {
    head: 'No.',
    columnClass: 'whitespace-nowrap',
    className: 'max-md:col-start-1 max-md:row-start-2 max-md:text-label',
    cell: ({ number }) => (number === null ? <span className="text-fg-3">--</span> : `No. ${number}`),
  },
  {
    head: 'Scheme',
    className: 'strong wrap-anywhere max-md:col-start-1 max-md:row-start-1',
    cell: ({ scheme_id, name }) => (
      <Link to="/settings/schemes/$schemeId" params={{ schemeId: String(scheme_id) }}>
        {name}
      </Link>
    ),
  },
  {
    head: 'Dept',
    className: 'max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end max-md:text-label',
    cell: ({ department }) => department,
  },
  {
    head: 'Batches',
    className: 'wrap-anywhere max-md:col-span-full max-md:text-label',
    cell: ({ degrees }) => (
      <>
        <span className="md:hidden">Batches </span>
        {batchList(degrees)}
      </>
    ),
  },
  {
    head: 'Rows',
    isNumber: true,
    columnClass: 'max-md:hidden',
    cell: (scheme) => formatCount(countTotals(scheme).rows),
  },
  {
    head: 'Credits',
    isNumber: true,
    columnClass: 'max-md:hidden',
    cell: (scheme) => formatCount(countTotals(scheme).credits),
  },
  {
    head: 'State',
    className: 'max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end',
    cell: (scheme) => <SchemeStateTag scheme={scheme} />,
  },
  {
    head: 'Since',
    columnClass: 'max-lg:hidden',
    cell: ({ published_by, published_at, created_by, created_at }) => (
      <>
        <span className="wrap-anywhere">{(published_by ?? created_by).name}</span>
        <span className="block text-fg-3 text-label">{formatDay(published_at ?? created_at)}</span>
      </>
    ),
  },
];
