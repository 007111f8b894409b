import { CircleAlert } from 'lucide-react';
import type { Import } from '../../../contract/imports.ts';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { type ColumnChoices, fieldsWithoutColumn, missingFields } from './column-choices.ts';

/** Fields that identify a record, so one value for all rows makes no sense. */
const KEYS: readonly string[] = ['id', 'student_id', 'course_id', 'marks'];
/** More fields for one value are folded. */
const FIELDS_SHOWN = 4;

interface MissingFieldsProps {
  item: Import;
  choices: ColumnChoices;
  onChange: (choices: ColumnChoices) => void;
}

/** Required fields that no column is read as, each with one value for all rows. */
export function MissingFields({ item, choices, onChange }: MissingFieldsProps) {
  const shown = fieldsWithoutColumn(item, choices);
  if (shown.length === 0 || (choices.mode === 'update' && Object.keys(choices.values).length === 0))
    return null;
  // Of several columns that may have the marks, one is asked for.
  const missing = missingFields(item, choices).filter(
    ({ field }) => field !== 'marks' || item.columns.every(({ may_have_marks }) => !may_have_marks),
  );
  if (missing.length === 0 && shown.every(({ field }) => KEYS.includes(field))) return null;
  const isFilled = missing.length === 0;
  const inputs = (
    <div className="mt-3 grid gap-x-4 gap-y-3 xs:grid-cols-2 md:grid-cols-3 xl:grid-cols-4">
      {shown
        .filter(({ field }) => !KEYS.includes(field))
        .map(({ field, label, is_date }) => (
          <TextField
            key={field}
            name={`all-${field}`}
            label={`${label}, all rows`}
            value={choices.values[field] ?? ''}
            placeholder={is_date ? 'yyyy-mm-dd' : undefined}
            onChange={(text) => onChange({ ...choices, values: { ...choices.values, [field]: text } })}
          />
        ))}
    </div>
  );
  return (
    <section
      aria-labelledby="missing-heading"
      className={`rounded-control border px-4 py-3 ${isFilled ? 'border-line bg-sunken' : 'border-danger-line bg-danger-soft'}`}
    >
      <h2
        id="missing-heading"
        className={`flex gap-2.5 font-normal text-body ${isFilled ? 'text-fg' : 'text-danger-text'}`}
      >
        <CircleAlert className="mt-0.5 size-4 shrink-0" />
        <span>
          {isFilled ? (
            'One value for all rows is used where the file has no column.'
          ) : (
            <>
              <b className="font-semibold">{missing.map(({ label }) => label).join(', ')}</b>
              {missing.length === 1 ? ' is required and has no column.' : ' are required and have no column.'}
              {' Choose the column below, or use one value for all rows.'}
            </>
          )}
        </span>
      </h2>
      {shown.length > FIELDS_SHOWN ? (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer font-[540] text-label">
            One value for all rows of a field
          </summary>
          {inputs}
        </details>
      ) : (
        inputs
      )}
    </section>
  );
}
