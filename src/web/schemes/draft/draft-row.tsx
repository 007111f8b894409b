import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { countCredits, parseHours } from '../../../domain/schemes/hours.ts';
import { IconButton } from '../../ui/button.tsx';
import { CELL_FIELDS, type CellFaults, type CellField, type DraftRow } from './draft-rows.ts';
import { cellPlace } from './focus-cell.ts';

export const DRAFT_COLUMNS = 'grid-cols-[168px_minmax(0,1fr)_104px_72px_minmax(0,0.6fr)_44px]';

const LABELS: Record<CellField, string> = {
  code: 'Code or options',
  title: 'Title',
  hours: 'Theory+lab',
  needs: 'Needs',
};

interface DraftRowFieldsProps {
  row: DraftRow;
  /** In its semester. */
  number: number;
  faults: CellFaults | undefined;
  warnings: CellFaults | undefined;
  onEdit: (row: DraftRow, field: CellField, text: string) => void;
  onRemove: (row: DraftRow) => void;
}

/** One row with its fields. */
export function DraftRowFields({ row, number, faults, warnings, onEdit, onRemove }: DraftRowFieldsProps) {
  const hours = parseHours(row.hours);
  const fields = CELL_FIELDS.map((field) => (
    <Cell
      key={field}
      row={row}
      field={field}
      label={`${LABELS[field]}, row ${number} of semester ${row.semester}`}
      fault={faults?.[field]}
      warning={warnings?.[field]}
      onEdit={(text) => onEdit(row, field, text)}
    />
  ));
  return (
    <fieldset
      className={`grid border-line border-t [&>*]:border-line [&>:not(:first-child)]:border-s ${DRAFT_COLUMNS}`}
    >
      <legend className="sr-only">
        Row {number} of semester {row.semester}
      </legend>
      {fields.slice(0, 3)}
      <output className="px-2.5 py-2 text-end text-fg-2">
        {hours === undefined ? '--' : countCredits(hours) || 'none'}
      </output>
      {fields[3]}
      <div className="grid place-items-start justify-center pt-0.5">
        <IconButton label={`Remove row ${number} of semester ${row.semester}`} onClick={() => onRemove(row)}>
          <X />
        </IconButton>
      </div>
    </fieldset>
  );
}

interface CellProps {
  row: DraftRow;
  field: CellField;
  label: string;
  fault: string | undefined;
  warning: string | undefined;
  onEdit: (text: string) => void;
}

/** A field that is a cell. What is typed is kept when the cell is left. */
function Cell({ row, field, label, fault, warning, onEdit }: CellProps) {
  const input = useRef<HTMLInputElement>(null);
  const stored = row[field];
  useEffect(() => {
    if (input.current) input.current.value = stored;
  }, [stored]);
  const noteId = `cell-${row.id}-${field}`;
  const note = fault ?? warning;
  const look =
    fault !== undefined
      ? 'bg-danger-soft text-danger-text'
      : warning !== undefined
        ? 'bg-warn-soft text-warn'
        : '';
  return (
    <div className={`flex min-w-0 flex-col ${look}`}>
      <input
        ref={input}
        {...cellPlace({ id: row.id, field })}
        data-stored={stored}
        aria-label={label}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : noteId}
        defaultValue={stored}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={`min-h-9 w-full bg-transparent px-2.5 text-fg -outline-offset-2 focus-visible:outline-2 focus-visible:outline-focus pointer-coarse:min-h-11 ${field === 'code' ? 'font-[560]' : ''}`}
        onBlur={({ currentTarget }) => {
          if (currentTarget.value === stored) return;
          onEdit(currentTarget.value);
          // What was typed may stand for what was there before.
          currentTarget.value = currentTarget.dataset.stored ?? '';
        }}
      />
      {note !== undefined && (
        <p id={noteId} className="wrap-anywhere px-2.5 pb-1.5 text-caption">
          {note}
        </p>
      )}
    </div>
  );
}
