import { Link } from '@tanstack/react-router';

interface SemesterRailProps {
  semester: number;
  last: number;
  /** Makes the semesters links to their edit. */
  linkedStudentId?: string | undefined;
}

/** The semesters to enter, those done and the current one marked. */
export function SemesterRail({ semester, last, linkedStudentId }: SemesterRailProps) {
  return (
    <ol className="steps flex min-w-[min(--spacing(45),100%)] max-w-80 flex-1 gap-1" aria-label="Semesters">
      {Array.from({ length: last }, (_, i) => i + 1).map((number) => (
        <li
          key={number}
          data-step={number < semester ? 'done' : number === semester ? 'now' : undefined}
          aria-current={number === semester ? 'step' : undefined}
          className="grid min-w-0 flex-1 gap-1.5 font-medium text-caption text-fg-3 data-[step=done]:text-fg-2 data-[step=now]:font-[640] data-[step=now]:text-fg"
        >
          {linkedStudentId === undefined ? (
            number
          ) : (
            <Link
              to="/students/$studentId/academics/edit"
              params={{ studentId: linkedStudentId }}
              search={{ semester: number }}
              aria-label={`Edit semester ${number}`}
              className="-mt-2 flex min-h-6 items-end rounded-control pt-1.5 underline decoration-line-2 underline-offset-3 hover:text-ink-text hover:decoration-current pointer-coarse:min-h-10"
            >
              {number}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}
