import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowRight, ChevronLeft } from 'lucide-react';
import { useMemo } from 'react';
import { usePageKey } from '../lib/keyboard-shortcuts.ts';
import { Kbd } from '../ui/kbd.tsx';
import { useStudentId } from './student-redirects.ts';
import { findNeighbours } from './student-run.ts';

interface NeighbourLinksProps {
  /** The rest of the address of the page of a student, such as `/edit`. */
  page: string;
  search?: Readonly<Record<string, string>>;
  /** The student is being admitted: without neighbours, the next one is another admission. */
  isAdmission?: boolean;
}

const NEXT_KEY = 'F9';

const linkClass =
  'inline-flex min-h-6 min-w-0 items-center gap-1.5 rounded-chip font-medium text-fg-3 text-label hover:text-ink-text';

/** Leads to the same page of the students before and after this one in the list from which it was opened. */
export function NeighbourLinks({ page, search = {}, isAdmission = false }: NeighbourLinksProps) {
  const studentId = useStudentId();
  const navigate = useNavigate();
  const { previous, next } = useMemo(() => findNeighbours(studentId), [studentId]);
  const address = (id: string) => `/students/${encodeURIComponent(id)}${page}`;
  const open = (student: typeof next) =>
    student && (() => void navigate({ to: address(student.id), search }));
  const isAlone = previous === undefined && next === undefined;
  const admitsNext = isAlone && isAdmission;
  usePageKey(NEXT_KEY, admitsNext ? () => void navigate({ to: '/students/create' }) : open(next));
  usePageKey(`Shift ${NEXT_KEY}`, open(previous));
  if (isAlone && !admitsNext) return null;
  return (
    <nav
      aria-label={admitsNext ? 'Admissions' : 'Students of the list'}
      className="screen-only flex min-w-0 flex-1 items-center justify-end gap-3"
    >
      {previous && (
        <Link
          to={address(previous.id)}
          search={search}
          aria-keyshortcuts={`Shift+${NEXT_KEY}`}
          title={`Shift ${NEXT_KEY}`}
          className={linkClass}
        >
          <ChevronLeft className="size-3.5 shrink-0" />
          <span className="max-xs:sr-only">Previous</span>
          <span className="sr-only">: {previous.name}</span>
        </Link>
      )}
      {next && (
        <Link to={address(next.id)} search={search} aria-keyshortcuts={NEXT_KEY} className={linkClass}>
          <Next label={`Next: ${next.name}`} />
        </Link>
      )}
      {admitsNext && (
        <Link to="/students/create" aria-keyshortcuts={NEXT_KEY} className={linkClass}>
          <Next label="Next admission" />
        </Link>
      )}
    </nav>
  );
}

function Next({ label }: { label: string }) {
  return (
    <>
      <span className="truncate">{label}</span>
      <span aria-hidden="true" className="shrink-0 pointer-coarse:hidden">
        <Kbd>{NEXT_KEY}</Kbd>
      </span>
      <ArrowRight className="size-3.5 shrink-0" />
    </>
  );
}
