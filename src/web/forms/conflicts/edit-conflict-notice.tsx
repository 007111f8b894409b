import { type ReactNode, useEffect, useRef } from 'react';
import { formatDateTime } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { DraftForm } from '../use-draft-form.ts';
import type { EditConflict } from './use-edit-conflict.ts';

interface EditConflictNoticeProps<Name extends string> {
  form: DraftForm<Name>;
  labels: Readonly<Record<Name, string>>;
  /** The concurrent edit of another user; null without one. */
  stale: EditConflict<Name> | null;
  /** Says what a save stores besides the fields. */
  children?: ReactNode;
}

/**
 * Says who else has changed the record, shows the fields that both have changed, and offers to accept the other values.
 * Focused after a refused save, since in a long form the pressed button is far below.
 */
export function EditConflictNotice<Name extends string>({
  form,
  labels,
  stale,
  children,
}: EditConflictNoticeProps<Name>) {
  const box = useRef<HTMLDivElement>(null);
  const refused = stale === null || stale.isFirstSight ? undefined : stale.values;
  useEffect(() => {
    if (refused !== undefined) box.current?.focus();
  }, [refused]);
  if (stale === null) return null;
  const { values: stored, isFirstSight } = stale;
  // The labels also name fields that only the server's errors have.
  const names = getKeys(labels).filter((name) => name in stored);
  const differences = names.filter((name) => stored[name].trim() !== form.values[name].trim());
  const conflicts = differences.filter((name) => stale.conflicts.includes(name));
  const merged = names.filter((name) => stale.merged.includes(name) && !differences.includes(name));
  const { changed_by, changed_at } = stale.latestChange;
  const who = changed_by ?? 'Another user';
  const take = (chosen: readonly Name[]) => {
    const changes: Partial<Record<Name, string>> = {};
    for (const name of chosen) changes[name] = stored[name];
    form.takeStored(changes);
    // The pressed button disappears with its row.
    box.current?.focus();
  };
  return (
    <Alert ref={box} tone="warn" className="mb-5">
      <p className="wrap-anywhere">
        {who} {isFirstSight ? 'entered' : 'changed'} this record while you were editing
        {changed_at != null && ` (${formatDateTime(changed_at)})`}.
      </p>
      {conflicts.length > 0 && (
        <>
          <p className="mt-2">
            You both changed {conflicts.length === 1 ? 'this field' : 'these fields'}. Saving again replaces
            the stored values with those of this form.
          </p>
          <Differences form={form} labels={labels} stored={stored} names={conflicts} onTake={take} />
        </>
      )}
      {merged.length > 0 && (
        <p className="wrap-anywhere mt-2">
          {conflicts.length > 0 ? 'Also changed' : 'Changed'} by {who}:{' '}
          {merged.map((name) => labels[name]).join(', ')}. This form has the stored values now.
        </p>
      )}
      {children !== undefined && <div className="mt-2">{children}</div>}
      {differences.length === 0 ? (
        children === undefined && <p className="mt-2">This form matches the stored record.</p>
      ) : (
        <>
          {conflicts.length === 0 && <p className="mt-2">Your changes are kept. Save again to store them.</p>}
          <Button size="sm" className="mt-2.5 text-fg" onClick={() => take(differences)}>
            Discard my changes and use all stored values
          </Button>
        </>
      )}
    </Alert>
  );
}

interface DifferencesProps<Name extends string> {
  form: DraftForm<Name>;
  labels: Readonly<Record<Name, string>>;
  stored: Readonly<Record<Name, string>>;
  names: readonly Name[];
  onTake: (names: readonly Name[]) => void;
}

function Differences<Name extends string>({ form, labels, stored, names, onTake }: DifferencesProps<Name>) {
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-fg text-label [&_:is(th,td)]:py-1 [&_:is(th,td)]:pr-4 [&_:is(th,td)]:align-top">
        <thead className="text-fg-2">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Stored now</th>
            <th scope="col">In this form</th>
            <th scope="col">
              <span className="sr-only">Choice</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="border-warn-line border-t">
              <th scope="row">{labels[name]}</th>
              <td className="wrap-anywhere">{stored[name] || 'Empty'}</td>
              <td className="wrap-anywhere">{form.values[name] || 'Empty'}</td>
              <td>
                <Button
                  size="sm"
                  aria-label={`Use the stored value: ${labels[name]}`}
                  onClick={() => onTake([name])}
                >
                  Use the stored value
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function getKeys<Name extends string>(labels: Readonly<Record<Name, string>>): Name[] {
  const names: Name[] = [];
  for (const name in labels) names.push(name);
  return names;
}
