import type { ReactNode } from 'react';
import type { SchemeSummary } from '../../contract/schemes/schemes.ts';
import { SEMESTERS } from '../../domain/student.ts';
import { plural } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { PageHeader } from '../ui/page/page.tsx';
import { batchList, countTotals } from './scheme-queries.ts';
import { SchemeStateTag } from './schemes-page.tsx';

const META =
  '-ml-3.25 mt-1 flex flex-wrap gap-y-1 [clip-path:inset(0_0_0_13px)] *:relative *:ml-px *:wrap-anywhere *:px-3 *:before:absolute *:before:inset-y-1 *:before:-left-px *:before:w-px *:before:bg-line-2';

type Totals = Pick<SchemeSummary, 'semesters'>;

interface SchemeHeadProps {
  scheme: SchemeSummary;
  /** The sums of the rows as they are on the screen. */
  semesters?: SchemeSummary['semesters'];
  /** Buttons. */
  children?: ReactNode;
}

/** Name, class and size of a scheme. */
export function SchemeHead({ scheme, semesters = scheme.semesters, children }: SchemeHeadProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const { name, number, department, degrees } = scheme;
  const { rows, credits } = countTotals({ semesters });
  return (
    <PageHeader
      back={isAdmin ? { to: '/settings/schemes', label: 'Schemes' } : undefined}
      title={<span className="wrap-anywhere">{name}</span>}
      sub={
        <span className={META}>
          {number !== null && <span>No. {number}</span>}
          <span>{department}</span>
          <span>{degrees === null ? 'All batches' : `Batches ${batchList(degrees)}`}</span>
          <span>{plural(credits, 'credit')}</span>
          <span>{plural(rows, 'row')}</span>
          <span>
            <SchemeStateTag scheme={scheme} />
          </span>
        </span>
      }
      actions={children}
    />
  );
}

interface SemesterSumsProps extends Totals {
  /** Said of a semester beside its number, such as a sign of a fault. */
  mark?: (semester: number) => ReactNode;
}

/** The credits of each semester, with theory and lab. */
export function SemesterSums({ semesters, mark }: SemesterSumsProps) {
  return (
    <ol
      aria-label="Credits by semester"
      className="mb-5 grid grid-cols-4 overflow-clip rounded-panel border border-line md:grid-cols-8"
    >
      {SEMESTERS.map((semester) => {
        const sums = semesters.find((one) => one.semester === semester);
        return (
          <li
            key={semester}
            className="min-w-0 border-line px-2.5 py-2 not-first:border-s max-md:nth-[5]:border-s-0 max-md:nth-[n+5]:border-t md:px-3"
          >
            <span className="flex items-center gap-1.25 whitespace-nowrap font-medium text-caption text-fg-3">
              <span>
                <span className="max-md:sr-only">Semester </span>
                {semester}
              </span>
              {mark?.(semester)}
            </span>
            <span className="flex flex-wrap items-baseline gap-x-1.5">
              <b className="font-[620] text-section">{sums?.credits ?? 0}</b>
              {sums && (
                <span className="text-fg-3 text-label">
                  {sums.theory}+{sums.lab}
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
