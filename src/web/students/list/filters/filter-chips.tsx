import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { courseQuery } from '../../../courses/course-queries.ts';
import { Button } from '../../../ui/button.tsx';
import { filterLabel } from '../model/labels.ts';
import type { ListFilters, StudentsSearchParams } from '../model/search-params.ts';
import { focusFiltersButton } from './filter-panel.tsx';

const CHIPS = [
  'department',
  'current_sem',
  'degree',
  'syn',
  'gender',
  'status',
  'standing',
  'cgpa_from',
  'cgpa_below',
  'incomplete',
  'fell_by',
  'failed',
] as const satisfies readonly (keyof ListFilters)[];

export const activeFilterCount = (address: StudentsSearchParams) =>
  CHIPS.filter((name) => address[name] !== undefined).length;

interface FilterChipsProps {
  address: StudentsSearchParams;
  onRemove: (name: keyof ListFilters) => void;
  onClear: () => void;
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ address, onRemove, onClear }: FilterChipsProps) {
  const active = CHIPS.flatMap((name) => {
    const value = address[name];
    return value === undefined ? [] : [{ name, value }];
  });
  const list = useRef<HTMLUListElement>(null);
  // A button that is pressed disappears, and would take the focus with it.
  const remove = (name: keyof ListFilters) => {
    const at = active.findIndex((filter) => filter.name === name);
    const next = at + 1 < active.length ? at + 1 : at - 1;
    const button = list.current?.children[next]?.querySelector('button');
    if (button) button.focus();
    else focusFiltersButton();
    onRemove(name);
  };
  const clear = () => {
    focusFiltersButton();
    onClear();
  };
  if (active.length === 0) return null;
  return (
    <ul ref={list} aria-label="Active filters" className="flex flex-wrap items-center gap-2 pb-3">
      {active.map(({ name, value }) => (
        <li key={name} className="min-w-0">
          <Chip onRemove={() => remove(name)}>
            {name === 'failed' ? <FailedCourse courseId={value} /> : filterLabel(name, value)}
          </Chip>
        </li>
      ))}
      {active.length > 1 && (
        <li>
          <Button variant="quiet" size="sm" onClick={clear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}

function Chip({ onRemove, children }: { onRemove: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="wrap-anywhere inline-flex min-h-8 max-w-full items-center gap-2 rounded-control border border-ink-line bg-ink-soft px-2.5 py-1 text-start font-[540] text-ink-text text-label hover:border-ink-text pointer-coarse:min-h-10"
      onClick={onRemove}
    >
      <span className="sr-only">Remove filter </span>
      {children}
      <X className="size-3.5 shrink-0" />
    </button>
  );
}

/** Shows the ID of the course until its name is loaded, or if it does not exist. */
function FailedCourse({ courseId }: { courseId: string }) {
  const course = useQuery(courseQuery(courseId)).data?.course;
  return (
    <>F in {course === undefined ? `course ${courseId}` : `${course.course_code} ${course.course_name}`}</>
  );
}
