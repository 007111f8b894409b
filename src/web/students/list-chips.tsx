import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { courseQuery } from '../courses/course-query.ts';
import { Button } from '../ui/button.tsx';
import { filterText } from './list-labels.ts';
import type { ListFilters, StudentsAddress } from './students-address.ts';

const CHIPS = [
  'department',
  'current_sem',
  'degree',
  'syn',
  'gender',
  'cgpa_from',
  'cgpa_below',
  'incomplete',
  'fell_by',
  'failed',
] as const satisfies readonly (keyof ListFilters)[];

export const filterCount = (address: StudentsAddress) =>
  CHIPS.filter((name) => address[name] !== undefined).length;

interface ListChipsProps {
  address: StudentsAddress;
  onRemove: (name: keyof ListFilters) => void;
  onClear: () => void;
}

/** The filters that are on, each to be taken off. */
export function ListChips({ address, onRemove, onClear }: ListChipsProps) {
  const on = CHIPS.flatMap((name) => {
    const value = address[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (on.length === 0) return null;
  return (
    <ul aria-label="Filters that are on" className="flex flex-wrap items-center gap-2 pb-3">
      {on.map(({ name, value }) => (
        <li key={name} className="min-w-0">
          <Chip onRemove={() => onRemove(name)}>
            {name === 'failed' ? <FailedCourse courseId={value} /> : filterText(name, value)}
          </Chip>
        </li>
      ))}
      {on.length > 1 && (
        <li>
          <Button variant="quiet" size="sm" onClick={onClear}>
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
      <X className="size-3.5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

/** Until the course is known, and where there is none, its number stands for it. */
function FailedCourse({ courseId }: { courseId: string }) {
  const course = useQuery(courseQuery(courseId)).data?.course;
  return (
    <>F in {course === undefined ? `course ${courseId}` : `${course.course_code} ${course.course_name}`}</>
  );
}
