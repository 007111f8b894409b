import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { OpeningPreview } from '../../../contract/marksheets/openings.ts';
import type { Term } from '../../../contract/terms.ts';
import { LAST_DAYS } from '../../../domain/term-dates.ts';
import { formatDate } from '../../lib/format.ts';
import { DAY_LABELS } from '../../settings/last-day-labels.ts';

/** The last days of a term; those that it lacks as the opening sets them. */
export function TermDays({ term, preview }: { term: Term; preview: OpeningPreview | undefined }) {
  const missing = LAST_DAYS.filter((day) => term[day] === null).length;
  return (
    <div>
      <dl className="grid grid-cols-[auto_minmax(min-content,1fr)] gap-x-6 gap-y-1">
        {LAST_DAYS.map((day) => {
          const date = term[day] ?? preview?.dates[day];
          return (
            <Fragment key={day}>
              <dt className="text-fg-2">{DAY_LABELS[day]}</dt>
              <dd className="font-[540]">{date === undefined ? '--' : formatDate(date)}</dd>
            </Fragment>
          );
        })}
      </dl>
      <p className="mt-1.5 text-fg-3 text-label">
        {missing > 0 &&
          `The opening sets what the term lacks: 2, 3 and 6 weeks from ${formatDate(term.starts_on)}. `}
        <Link
          to="/settings/terms/$termId"
          params={{ termId: String(term.term_id) }}
          className="link whitespace-nowrap"
        >
          Change the dates
        </Link>
      </p>
    </div>
  );
}
