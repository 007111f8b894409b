import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Home } from '../../contract/home.ts';
import { countUnsentBySheet } from '../lib/drafts.ts';
import { formatDate, plural } from '../lib/format.ts';
import { useIsTeacher } from '../lib/session.ts';
import { formatDegree, fullName } from '../students/student-format.ts';
import { Alert } from '../ui/alert.tsx';
import { classNames } from '../ui/class-names.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { Tag } from '../ui/tag.tsx';
import { Backups } from './backups.tsx';
import { FirstSteps } from './first-steps.tsx';
import { homeQuery } from './home-query.ts';
import { SampleCards } from './sample-cards.tsx';
import { Section, SkeletonRows } from './section.tsx';
import { Waiting } from './waiting.tsx';
import './home.css';

const TaughtSheets = lazy(async () => ({ default: (await import('./taught-sheets.tsx')).TaughtSheets }));

/** The waiting tasks of this user at the left, the two cards and the records opened last at the right. */
export function HomePage() {
  const query = useQuery(homeQuery);
  const home = query.data;
  const isTeacher = useIsTeacher();
  const steps = home?.setup ?? [];
  // An office of one person may leave the last step for ever; then it does not stand above the day's work.
  const isLastStep = steps.filter(({ done }) => !done).length === 1;
  return (
    <Page>
      <PageHeader title="Home" actions={<p className="text-fg-2">{todayInWords(home?.term)}</p>} />
      <div
        className={classNames(
          'grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8',
          !isTeacher && 'lg:grid-cols-[minmax(0,1fr)_minmax(300px,384px)]',
        )}
      >
        <div className="grid content-start gap-7">
          <LoadError query={query} />
          <UnsentMarks />
          {!isLastStep && <FirstSteps steps={steps} />}
          {isTeacher ? (
            <Suspense fallback={<SkeletonRows />}>
              <TaughtSheets />
            </Suspense>
          ) : home ? (
            <Waiting home={home} />
          ) : (
            query.isPending && <SkeletonRows />
          )}
          {isLastStep && <FirstSteps steps={steps} />}
        </div>
        {!isTeacher && (
          <div className="grid content-start gap-7">
            <SampleCards />
            <OpenedLast students={home?.opened} />
            {home?.backups && <Backups backups={home.backups} />}
          </div>
        )}
      </div>
    </Page>
  );
}

/** Marks that were typed in this browser, such as before it crashed, and never arrived. Opening their sheet sends them. */
function UnsentMarks() {
  const [unsent] = useState(countUnsentBySheet);
  if (unsent.size === 0) return null;
  return (
    <Alert tone="warn">
      <p>
        Marks that were typed on this computer are not saved. Open the mark sheet to save or correct them.
      </p>
      <ul className="mt-1.5 grid gap-1">
        {[...unsent].map(([sheetId, count]) => (
          <li key={sheetId}>
            <Link to="/marksheets/$sheetId" params={{ sheetId: String(sheetId) }} className="link">
              {`Mark sheet ${sheetId}: ${plural(count, 'mark')}`}
            </Link>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

const weekday = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const MS_PER_WEEK = 7 * 24 * 3_600_000;

/** Today and the term, such as `Friday, 12 February 2027. Spring 2027, week 1, until 18 June 2027.` */
function todayInWords(term: Home['term'] | undefined): string {
  const now = new Date();
  const today = weekday.format(now);
  if (!term) return today;
  const [year = 0, month = 1, day = 1] = term.starts_on.split('-').map(Number);
  const week = Math.floor((now.getTime() - new Date(year, month - 1, day).getTime()) / MS_PER_WEEK) + 1;
  return `${today}. ${term.name}, week ${week}, until ${formatDate(term.ends_on)}.`;
}

/** The records that this user opened last in this browser, without deleted ones. */
function OpenedLast({ students }: { students: Home['opened'] | undefined }) {
  return (
    <Section title="Opened last">
      {students?.length === 0 && (
        <p className="py-2.5 text-fg-2">The records that you open are listed here.</p>
      )}
      <ul>
        {students?.map((student) => (
          <li
            key={student.id}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-line border-b py-2"
          >
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <Link
                to="/students/$studentId"
                params={{ studentId: student.id }}
                className="link link-quiet wrap-anywhere"
              >
                {fullName(student)}
              </Link>
              {!student.is_complete && <Tag tone="warn">Incomplete</Tag>}
            </span>
            <span className="text-fg-2 text-label">
              {student.id}, {formatDegree(student)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
