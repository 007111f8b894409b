import { Link } from '@tanstack/react-router';
import { FileUp, Plus } from 'lucide-react';
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { CourseListItem } from '../../contract/courses.ts';
import { Histogram } from '../charts/histogram-chart.tsx';
import { HistogramSkeleton } from '../charts/histogram-placeholders.tsx';
import { formatCount, plural } from '../lib/format.ts';
import { searchParamsParser, typedText } from '../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { useIsPrinting } from '../lib/printing/use-is-printing.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { useCanWrite } from '../lib/session.ts';
import { searchTerms } from '../lib/text-match.ts';
import { useDebouncedText } from '../lib/use-debounced.ts';
import { ButtonLink } from '../ui/button.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { Highlight } from '../ui/highlight.tsx';
import { EmptyState, NoResults } from '../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { coursesQuery } from './course-queries.ts';
import { searchCourses, toSearchableCourse } from './course-search.ts';
import { FirstActions } from './first-actions.tsx';
import './courses.css';

/** The course catalogue as a grid of cards with histograms. */
export function CoursesPage() {
  const canWrite = useCanWrite();
  const courses = usePageQuery({ ...coursesQuery, loading: 'courses' });
  const isEmpty = courses.data?.length === 0;
  return (
    <Page width="wide">
      <PageHeader
        title="Courses"
        sub={isEmpty ? undefined : 'Click to view full details'}
        actions={isEmpty || !canWrite ? undefined : <Actions />}
      />
      <LoadError query={courses} />
      {courses.data === undefined ? (
        !hasLoadError({ query: courses }) && <CoursesSkeleton />
      ) : isEmpty ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            figure={<EmptyCoursesFigure />}
            title="No courses have been created yet"
            text={
              canWrite
                ? 'A course holds marks and their histogram. Create the first one, or import a spreadsheet.'
                : 'A course holds marks and their histogram.'
            }
            action={
              canWrite ? (
                <FirstActions kind="courses" label="Import courses">
                  <CreateLink />
                </FirstActions>
              ) : undefined
            }
          />
        </div>
      ) : (
        <CourseGrid courses={courses.data} />
      )}
    </Page>
  );
}

function Actions() {
  return (
    <>
      <ButtonLink to="/imports" variant="quiet">
        <FileUp />
        Import
      </ButtonLink>
      <CreateLink />
    </>
  );
}

function CreateLink() {
  return (
    <ButtonLink to="/courses/create" variant="primary">
      <Plus />
      Create New Course
    </ButtonLink>
  );
}

const parseSearchParams = searchParamsParser<{ q?: string }>({ q: typedText(100) });

function CourseGrid({ courses }: { courses: readonly CourseListItem[] }) {
  const { address, change } = useSearchParams(parseSearchParams);
  const search = useDebouncedText({ value: address.q ?? '', onApply: (q) => change({ q }) });
  const all = useMemo(() => courses.map(toSearchableCourse), [courses]);
  const terms = useMemo(() => searchTerms(search.text), [search.text]);
  // Deferred, so that typing stays responsive with thousands of cards.
  const shownTerms = useDeferredValue(terms);
  const found = useMemo(() => searchCourses(all, shownTerms), [all, shownTerms]);
  const { drawn, endRef } = useRenderMoreOnScroll(found);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <SearchField
          label="Search courses"
          placeholder="Search code, ID or name"
          query={search.text}
          onQuery={search.type}
          onLeave={search.flush}
          onDown={() => document.querySelector<HTMLElement>('.course-grid a')?.focus()}
        />
        <span role="status" className="ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full">
          {countText(found.length, all.length)}
        </span>
      </div>
      {found.length === 0 ? (
        <NoResults
          title="No course matches the search"
          text="Codes, IDs and names are searched."
          onClear={() => {
            search.cancel();
            change({ q: '' });
          }}
        />
      ) : (
        <>
          <div className="course-grid">
            {found.slice(0, drawn).map(({ course }) => (
              <CourseCard key={course.course_id} course={course} terms={shownTerms} />
            ))}
          </div>
          <div ref={endRef} />
        </>
      )}
    </>
  );
}

function countText(shown: number, all: number): string {
  const courses = plural(all, 'course');
  return shown === all ? courses : `${shown} of ${courses}`;
}

interface CourseCardProps {
  course: CourseListItem;
  /** The search terms to mark. */
  terms: readonly string[];
}

/** One course of the grid; the link on its name covers the card. */
const CourseCard = memo(function CourseCard({ course, terms }: CourseCardProps) {
  return (
    <article className="card-link course-card">
      <div className="min-w-0">
        <p className="flex justify-between gap-3 font-medium text-caption text-fg-3">
          <b className="wrap-anywhere font-[620] text-ink-text tracking-[.01em]">
            <Highlight text={course.course_code} terms={terms} />
          </b>
          <span className="whitespace-nowrap">
            ID <Highlight text={String(course.course_id)} terms={terms} />
          </span>
        </p>
        <h2 className="wrap-anywhere mt-0.75 line-clamp-2 min-h-5" title={course.course_name}>
          <Link to="/courses/$courseId" params={{ courseId: String(course.course_id) }}>
            <Highlight text={course.course_name} terms={terms} />
          </Link>
        </h2>
      </div>
      <div className="course-plot">
        <Histogram label={`${course.course_name} marks`} bins={course.histogram} areaClass="h-29" />
      </div>
      <CourseFigures course={course} />
    </article>
  );
});

function CourseFigures({ course }: { course: CourseListItem }) {
  const { average, std_dev, marks_count } = course;
  return (
    <p className="mt-auto flex flex-wrap gap-x-4 border-line border-t pt-2.5 text-caption text-fg-3 [&_b]:font-semibold [&_b]:text-fg">
      {average !== null && std_dev !== null && (
        <>
          <span>
            Avg <b>{average.toFixed(1)}</b>
          </span>
          <span>
            SD <b>{std_dev.toFixed(1)}</b>
          </span>
        </>
      )}
      <span>
        <b>{formatCount(marks_count)}</b> {marks_count === 1 ? 'mark' : 'marks'}
      </span>
    </p>
  );
}

/** Illustration of the empty catalogue: an outlined histogram. */
function EmptyCoursesFigure() {
  return (
    <svg width="132" height="76" viewBox="0 0 132 76" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x=".5" y=".5" width="131" height="75" rx="7.5" />
      <path d="M14 62.5h104M20 62V52h8v10M36 62V44h8v18M52 62V30h8v32M68 62V18h8v44M84 62V34h8v28M100 62V48h8v14" />
    </svg>
  );
}

/** Typical widths of course names, in pixels. */
const NAME_WIDTHS = [126, 118, 152, 246, 168, 210, 134, 158, 122];

/** Placeholder of the grid, with bars instead of texts. */
function CoursesSkeleton() {
  return (
    <div className="course-grid" aria-hidden="true" inert>
      {NAME_WIDTHS.map((width) => (
        <div key={width} className="card-link course-card">
          <div className="grid gap-2">
            <Skeleton width={48} />
            <Skeleton width={width} />
          </div>
          <HistogramSkeleton />
          <div className="border-line border-t pt-2.5">
            <Skeleton width={172} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** About as many cards as a large window shows. */
const INITIAL_COUNT = 24;
const NEXT_COUNT = 96;
/** How far below the viewport more cards are rendered. */
const RENDER_MARGIN = '1200px 0px';

/**
 * How many items of a long list to render: a windowful at first, more when its end comes near, so that thousands of
 * items open as fast as a dozen; on paper all. `endRef` belongs on the element after the last rendered item.
 *
 * @param list the items; a different array resets the count
 */
function useRenderMoreOnScroll(list: readonly unknown[]) {
  const [seen, setSeen] = useState({ list, drawn: INITIAL_COUNT });
  const isPrinting = useIsPrinting();
  const drawn = isPrinting ? list.length : seen.list === list ? seen.drawn : INITIAL_COUNT;
  const endRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = endRef.current;
    if (end === null || drawn >= list.length) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting))
          setSeen({ list, drawn: drawn + NEXT_COUNT });
      },
      { rootMargin: RENDER_MARGIN },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [list, drawn]);
  return { drawn, endRef };
}
