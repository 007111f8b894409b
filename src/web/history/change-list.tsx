import type { FieldChange } from '../../contract/history.ts';
import { departmentName, formatCount, formatDate } from '../lib/format.ts';
import { GENDER_LABELS } from '../students/student-format.ts';

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
  const before = formatValue(change, change.before);
  const after = formatValue(change, change.after);
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

/** A field's value for display; null without one. */
function formatValue({ field }: Pick<FieldChange, 'field'>, value: FieldChange['before']): string | null {
  if (value === null || value === '') return null;
  const text = String(value);
  switch (field) {
    case 'dob':
    case 'joining_date':
    case 'starts_on':
    case 'ends_on':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? formatDate(text) : text;
    case 'department':
      return departmentName(text);
    case 'gender':
      return text === 'F' || text === 'M' ? GENDER_LABELS[text] : text;
    case 'img':
    case 'picture':
    case 'logo':
      return /^\/api\/pictures\//.test(text) ? 'A picture' : text;
    case 'sgpa':
    case 'cgpa':
    case 'average':
    case 'std_dev':
      return typeof value === 'number' ? value.toFixed(2) : text;
    default:
      return typeof value === 'number' && field !== 'fsc_year' && field !== 'matric_year'
        ? formatCount(value)
        : text;
  }
}
