import { Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { CourseListed } from '../../contract/courses.ts';
import { coursesQuery } from '../academics/use-courses.ts';
import { useMayWrite } from '../session.ts';
import { hasLoadProblem, LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { NoMatch } from '../ui/no-match.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { searchTerms } from '../ui/text-match.ts';
import { CourseCard } from './course-card.tsx';
import { coursesWith, toFoundCourse } from './course-search.ts';
import { CoursesFigure } from './courses-figure.tsx';
import { CoursesSkeleton } from './courses-skeleton.tsx';
import { useMoreAsSeen } from './use-more-as-seen.ts';
import './courses.css';

/** The catalogue as a grid of cards, each with the marks of its course. */
export function CoursesPage() {
  const courses = usePageQuery({ ...coursesQuery, loading: 'courses' });
  const isEmpty = courses.data?.length === 0;
  return (
    <Page width="wide">
      <PageHead
        title="Courses"
        sub={isEmpty ? undefined : 'Click to view full details'}
        actions={isEmpty ? undefined : <CreateLink />}
      />
      <LoadProblem query={courses} />
      {courses.data === undefined ? (
        !hasLoadProblem({ query: courses }) && <CoursesSkeleton />
      ) : isEmpty ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            figure={<CoursesFigure />}
            title="No courses have been created yet"
            text="A course holds marks and their histogram."
            action={<CreateLink />}
          />
        </div>
      ) : (
        <CourseGrid courses={courses.data} />
      )}
    </Page>
  );
}

/** Not for those who only read. */
function CreateLink() {
  if (!useMayWrite()) return null;
  return (
    <ButtonLink to="/courses/create" variant="primary">
      <Plus strokeWidth={1.75} aria-hidden="true" />
      Create New Course
    </ButtonLink>
  );
}

function CourseGrid({ courses }: { courses: readonly CourseListed[] }) {
  const [query, setQuery] = useState('');
  const all = useMemo(() => courses.map(toFoundCourse), [courses]);
  const terms = useMemo(() => searchTerms(query), [query]);
  // Typing stays quick in a long list: the cards follow as soon as they can.
  const shownTerms = useDeferredValue(terms);
  const found = useMemo(() => coursesWith(all, shownTerms), [all, shownTerms]);
  const { drawn, endRef } = useMoreAsSeen(found);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <SearchField
          label="Search courses"
          placeholder="Search code, ID or name"
          query={query}
          onQuery={setQuery}
        />
        <span role="status" className="ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full">
          {countText(found.length, all.length)}
        </span>
      </div>
      {found.length === 0 ? (
        <NoMatch
          title="No course matches the search"
          text="Codes, IDs and names are searched."
          onClear={() => setQuery('')}
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
  const courses = `${all} ${all === 1 ? 'course' : 'courses'}`;
  return shown === all ? courses : `${shown} of ${courses}`;
}
