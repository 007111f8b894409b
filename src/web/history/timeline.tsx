import { Link } from '@tanstack/react-router';
import { RotateCcw, Undo2 } from 'lucide-react';
import type { HistoryEntry } from '../../contract/history.ts';
import { formatCount, formatDay, formatTime, plural } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/tag.tsx';
import { ChangeList } from './change-list.tsx';
import { describeEntry, recordHistoryPath, restorableStates } from './entry-text.ts';

/** With more changed fields, only their number is shown at first. */
const MAX_FIELDS_SHOWN = 8;

interface TimelineProps {
  entries: readonly HistoryEntry[];
  /** Whether each entry names its record. */
  hasSubjects?: boolean;
  /** Absent for users who may not restore. */
  onRestore?: ((entry: HistoryEntry) => void) | undefined;
  /** Undoes the change of many students that an entry is part of. */
  onUndoBulk?: ((bulk: BulkOfEntry) => void) | undefined;
}

export type BulkOfEntry = NonNullable<HistoryEntry['bulk']>;

/** Entries by day, the latest first. */
export function Timeline({ entries, hasSubjects = false, ...actions }: TimelineProps) {
  return (
    <div className="grid gap-7">
      {groupByDay(entries).map(([date, entriesOfDay]) => (
        <section key={date} aria-label={date}>
          <h2 className="border-line border-b pb-2">{date}</h2>
          <ol>
            {entriesOfDay.map((entry) => (
              <Entry key={entry.id} entry={entry} hasSubject={hasSubjects} {...actions} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function groupByDay(entries: readonly HistoryEntry[]): [string, HistoryEntry[]][] {
  const days = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const date = formatDay(entry.at);
    const own = days.get(date) ?? [];
    own.push(entry);
    days.set(date, own);
  }
  return [...days];
}

interface EntryProps extends Pick<TimelineProps, 'onRestore' | 'onUndoBulk'> {
  entry: HistoryEntry;
  hasSubject: boolean;
}

function Entry({ entry, hasSubject, onRestore, onUndoBulk }: EntryProps) {
  const bulk = entry.bulk !== null && entry.bulk.students > 1 ? entry.bulk : undefined;
  const canRestore = onRestore !== undefined && restorableStates(entry).length > 0;
  const restore = entry.action === 'delete' ? 'Restore' : 'Undo or restore…';
  return (
    <li className="unbroken history-entry" aria-label={`Entry ${entry.id}`}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_260px]">
          <p className="wrap-anywhere">
            <span className="font-[560]">{entry.user.name ?? 'The system'}</span> {describeEntry(entry)}
            {hasSubject && <Subject entry={entry} />}
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-fg-3 text-label">
            <time dateTime={entry.at}>{formatTime(entry.at)}</time>
            <span>Entry {entry.id}</span>
            {entry.restored_from !== null && <span>Restored from entry {entry.restored_from}</span>}
            {bulk && <Tag>One of {formatCount(bulk.students)} changed at once</Tag>}
            {entry.import_id !== null && (
              <Link
                to="/imports/$importId"
                params={{ importId: String(entry.import_id) }}
                className="wrap-anywhere text-ink-text underline underline-offset-3"
              >
                {`Import ${entry.import_id}${entry.import_file === null ? '' : `, ${entry.import_file}`}`}
              </Link>
            )}
          </p>
        </div>
        {bulk && onUndoBulk && (
          <Button
            variant="quiet"
            size="sm"
            className="-mx-2.5"
            onClick={() => onUndoBulk(bulk)}
            aria-label={`Undo for all ${formatCount(bulk.students)}, entry ${entry.id}`}
          >
            <Undo2 />
            Undo for all {formatCount(bulk.students)}
          </Button>
        )}
        {canRestore && (
          <Button
            variant="quiet"
            size="sm"
            className="-mx-2.5"
            onClick={() => onRestore(entry)}
            aria-label={`${restore}, entry ${entry.id}`}
          >
            <RotateCcw />
            {restore}
          </Button>
        )}
      </div>
      <Changes entry={entry} />
    </li>
  );
}

function Subject({ entry }: { entry: HistoryEntry }) {
  const path = recordHistoryPath(entry);
  if (entry.entity === 'export' || entry.entity === 'list') return null;
  const id = entry.entity_id === '*' || entry.entity === 'institution' ? '' : entry.entity_id;
  if (entry.entity === 'result-notification') {
    return (
      <>
        {', '}
        <Link to="/marksheets/notifications" className="text-ink-text underline underline-offset-3">
          {`notification ${id}`}
        </Link>
      </>
    );
  }
  const text = entry.name === null ? id : path === undefined ? entry.name : `${entry.name}, ${id}`;
  if (text === '') return null;
  return (
    <>
      {': '}
      {path === undefined ? (
        text
      ) : (
        <Link to={path} className="text-ink-text underline underline-offset-3">
          {text}
        </Link>
      )}
    </>
  );
}

function Changes({ entry: { changes, action } }: { entry: HistoryEntry }) {
  if (changes.length === 0) return null;
  if (action === 'update' && changes.length <= MAX_FIELDS_SHOWN) return <ChangeList changes={changes} />;
  return (
    <details>
      <summary className="min-h-6 w-fit cursor-pointer text-fg-2 text-label hover:text-fg">
        {plural(changes.length, 'field')}
      </summary>
      <div className="pt-2">
        <ChangeList changes={changes} />
      </div>
    </details>
  );
}
