interface SemesterRailProps {
  semester: number;
  last: number;
}

/** How far the entry has come: one stretch a semester, as many as there are to enter. */
export function SemesterRail({ semester, last }: SemesterRailProps) {
  return (
    <ol className="steps flex min-w-[min(--spacing(45),100%)] max-w-80 flex-1 gap-1" aria-label="Semesters">
      {Array.from({ length: last }, (_, i) => i + 1).map((number) => (
        <li
          key={number}
          data-step={number < semester ? 'done' : number === semester ? 'now' : undefined}
          aria-current={number === semester ? 'step' : undefined}
          className="grid min-w-0 flex-1 gap-1.5 font-medium text-caption text-fg-3 data-[step=done]:text-fg-2 data-[step=now]:font-[640] data-[step=now]:text-fg"
        >
          {number}
        </li>
      ))}
    </ol>
  );
}
