import type { Home } from '../../contract/home.ts';
import { formatDateTime, plural } from '../lib/format.ts';
import { Section } from './section.tsx';

const MS_PER_HOUR = 3_600_000;
const HOURS_PER_DAY = 24;

/** Where the scheduled backups are and how old the latest is, for administrators. */
export function Backups({ backups }: { backups: NonNullable<Home['backups']> }) {
  const { folder, every_hours: hours, latest_at: latest } = backups;
  // One of them was left out: late ones are tried again every ten minutes.
  const isLate = latest !== null && Date.now() - Date.parse(latest) > 2 * hours * MS_PER_HOUR;
  return (
    <Section title="Backups" isLate={isLate}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 py-2.5">
        <dt className="text-fg-2">Latest</dt>
        <dd className={isLate ? 'text-warn' : ''}>
          {latest === null ? 'None yet' : formatDateTime(latest)}
          {isLate && '. The newer ones failed: the log of the server says why.'}
        </dd>
        <dt className="text-fg-2">Made</dt>
        <dd>{inWords(hours)}</dd>
        <dt className="text-fg-2">Folder</dt>
        <dd className="wrap-anywhere">{folder}</dd>
      </dl>
      <p className="text-fg-2 text-label">A copy on another disk survives this computer.</p>
    </Section>
  );
}

function inWords(hours: number): string {
  if (hours === HOURS_PER_DAY) return 'each day';
  if (hours === 1) return 'each hour';
  if (hours > 1 && Number.isInteger(hours)) return `every ${plural(hours, 'hour')}`;
  return `every ${plural(Math.max(1, Math.round(hours * 60)), 'minute')}`;
}
