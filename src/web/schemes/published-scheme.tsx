import { useQuery } from '@tanstack/react-query';
import { Copy, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Scheme } from '../../contract/schemes/schemes.ts';
import { formatDay } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { NewSchemeDialog } from './new-scheme-dialog.tsx';
import { hoursText, needsText, optionsText } from './row-text.ts';
import { SchemeHead, SemesterSums } from './scheme-head.tsx';
import { schemesQuery } from './scheme-queries.ts';

/** A scheme as printed schemes are: two semesters beside each other, one line a row. */
export function PublishedScheme({ scheme }: { scheme: Scheme }) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const schemes = useQuery({ ...schemesQuery, enabled: isAdmin });
  const [isAdding, setIsAdding] = useState(false);
  const { number, semesters, published_at, published_by } = scheme;
  return (
    <>
      <SchemeHead scheme={scheme}>
        {isAdmin && (
          <Button onClick={() => setIsAdding(true)}>
            <Copy />
            New version
          </Button>
        )}
        <Button onClick={() => window.print()}>
          <Printer />
          Print
        </Button>
      </SchemeHead>
      <SemesterSums semesters={semesters} />
      <p className="mb-5 max-w-[80ch] text-fg-2 text-label">
        {published_at === null
          ? 'This is a draft, in force for nobody.'
          : `Put in force on ${formatDay(published_at)} by ${published_by?.name ?? 'a deleted account'}. A scheme in force is never edited: a new version takes its place after a preview.`}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 lg:grid-cols-2 print:grid-cols-2">
        {semesters.map((sums) => (
          <SemesterRows key={sums.semester} scheme={scheme} sums={sums} />
        ))}
      </div>
      {semesters.length === 0 && <p className="text-fg-2">It has no rows yet.</p>}
      {isAdding && number !== null && (
        <NewSchemeDialog
          schemes={schemes.data ?? [scheme]}
          from={scheme}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

interface SemesterRowsProps {
  scheme: Scheme;
  sums: Scheme['semesters'][number];
}

function SemesterRows({ scheme: { rows, courses }, sums }: SemesterRowsProps) {
  const { semester, theory, lab, credits, contact_hours } = sums;
  const heading = `semester-${semester}`;
  return (
    <section aria-labelledby={heading} className="unbroken min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-fg-3 border-b pb-2">
        <h2 id={heading}>Semester {semester}</h2>
        <p className="text-fg-2 text-label">
          {theory}+{lab} = <b className="font-semibold text-fg">{credits}</b> credits, {contact_hours} contact
          hours
        </p>
      </div>
      <ul>
        {rows
          .filter((row) => row.semester === semester)
          .map((row) => (
            <li
              key={row.key}
              className="grid grid-cols-[88px_minmax(0,1fr)_auto] gap-x-3 border-line border-b py-2 sm:grid-cols-[116px_minmax(0,1fr)_auto]"
            >
              <span className="wrap-anywhere text-fg-2 text-label leading-5">
                {optionsText(row.options, courses)}
              </span>
              <span className="min-w-0">
                <span className="wrap-anywhere font-[560]">{row.title}</span>
                {row.needs.length > 0 && (
                  <span className="wrap-anywhere block text-caption text-fg-2">
                    needs {needsText(row.needs, courses)}
                  </span>
                )}
              </span>
              <span className="text-end">{hoursText(row)}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
