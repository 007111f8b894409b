import type { AuditReply } from '../../../../contract/schemes/audit.ts';

const LOOKS = {
  earned: 'bg-plot-1',
  elsewhere: 'bg-[color-mix(in_srgb,var(--plot-1)_42%,var(--paper))]',
  // Tiles: repeating gradients have other widths in Firefox.
  running:
    'bg-size-[8px_8px] bg-[linear-gradient(135deg,var(--stripe)_25%,var(--paper)_25%_50%,var(--stripe)_50%_75%,var(--paper)_75%)] [--stripe:color-mix(in_srgb,var(--plot-1)_40%,var(--paper))]',
  left: '',
} as const;

/** The credits of the degree on a scale: earned, from elsewhere, in progress and left, with the ends of the semesters. */
export function CreditsBar({ audit: { rows, credits } }: { audit: AuditReply }) {
  const running = rows.reduce((sum, row) => sum + (row.state === 'in-progress' ? row.credits : 0), 0);
  const scale = Math.max(credits.required, credits.total + running, 1);
  const parts = [
    { look: LOOKS.earned, value: credits.earned, text: 'earned here' },
    { look: LOOKS.elsewhere, value: credits.outside, text: 'from elsewhere' },
    { look: LOOKS.running, value: running, text: 'in progress' },
    { look: LOOKS.left, value: Math.max(0, scale - credits.total - running), text: 'left' },
  ];
  const share = (value: number) => `${(100 * value) / scale}%`;
  return (
    <div className="min-w-0 flex-[1_1_320px]">
      <div className="relative h-4 text-fg-3 text-micro max-xs:hidden" aria-hidden="true">
        {semesterEnds(rows)
          .filter((end) => end <= scale)
          .map((end) => (
            <span key={end} className="absolute -translate-x-full" style={{ left: share(end) }}>
              {end}
            </span>
          ))}
      </div>
      <div aria-hidden="true" className="flex h-4.5 overflow-clip rounded-chip border border-control">
        {parts.map(({ look, value, text }) => (
          <span key={text} className={look} style={{ flex: `0 0 ${share(value)}` }} />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4.5 gap-y-1 text-caption text-fg-3">
        {parts.map(
          ({ look, value, text }) =>
            (value > 0 || text === 'left') && (
              <li key={text} className="flex items-center gap-1.5">
                <span
                  aria-hidden="true"
                  className={`size-2.5 rounded-[2px] border ${look === '' ? 'border-control' : 'border-plot-1'} ${look}`}
                />
                <b className="font-semibold text-fg">{value}</b> {text}
              </li>
            ),
        )}
      </ul>
    </div>
  );
}

/** The credits of all rows up to the end of each semester. */
function semesterEnds(rows: AuditReply['rows']): number[] {
  const last = Math.max(0, ...rows.map(({ semester }) => semester));
  const ends = Array.from({ length: last }, (_, i) =>
    rows.reduce((sum, { semester, credits }) => sum + (semester <= i + 1 ? credits : 0), 0),
  );
  return [...new Set(ends)].filter((end) => end > 0);
}
