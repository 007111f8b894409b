import type { FieldChange } from '../../contract/history.ts';
import { valueText } from './entry-text.ts';

/** A list of changed fields, each with its old and new value. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className="history-changes">
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{change.label}</dt>
          <dd>
            <Value change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ change }: { change: FieldChange }) {
  const before = valueText(change, change.before);
  const after = valueText(change, change.after);
  // Two pictures have the same text.
  if (before !== null && before === after) return <ins>Another picture</ins>;
  return (
    <>
      {before !== null && (
        <del>
          <span className="sr-only">was </span>
          {before}
        </del>
      )}
      {before !== null && <span aria-hidden="true"> → </span>}
      {after === null ? (
        <span className="text-fg-3">
          <span className="sr-only">, now </span>none
        </span>
      ) : (
        <ins>
          {before !== null && <span className="sr-only">, now </span>}
          {after}
        </ins>
      )}
    </>
  );
}
