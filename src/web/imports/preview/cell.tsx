import { ArrowRight, CircleAlert, Pencil, TriangleAlert } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ImportRow } from '../../../contract/imports.ts';
import { classNames } from '../../ui/class-names.ts';
import type { Editing } from './editing.ts';
import {
  hasStudentId,
  type PreviewCell,
  type PreviewColumn,
  showsChanges,
  valueText,
} from './preview-columns.ts';

interface CellProps {
  row: ImportRow;
  column: PreviewColumn;
  cell: PreviewCell;
  editing: Editing;
}

/** A value of the file, what it changes and why it is refused. It is corrected in place. */
export function Cell({ row, column, cell, editing }: CellProps) {
  const { line } = row;
  const { field, label } = column;
  const id = `${line}:${field}`;
  if (editing.cell === id) {
    return (
      <CellEditor
        id={id}
        label={`${label}, row ${line}`}
        text={editing.waitingText(line, field) ?? cell.text}
        fileText={cell.text}
        errors={cell.errors}
        onKeep={(value, isByKey) => editing.keep({ line, field, value }, isByKey)}
        onLeave={editing.leave}
      />
    );
  }
  const isWrong = cell.errors.length > 0;
  const waiting = editing.waitingText(line, field);
  return (
    <button
      type="button"
      data-cell={id}
      data-wrong={isWrong ? '' : undefined}
      tabIndex={isWrong || editing.active === id ? 0 : -1}
      onClick={() => editing.open(id)}
      className="preview-cell"
    >
      <span className="sr-only">{`${label}: `}</span>
      {waiting === undefined ? (
        <CellText row={row} column={column} cell={cell} />
      ) : (
        <span className="flex items-center gap-1.5 text-fg-3">
          <span className="wrap-anywhere min-w-0">{waiting || 'empty'}</span>
          {editing.isChecking ? (
            <span className="spin size-3! shrink-0" />
          ) : (
            <TriangleAlert className="size-3 shrink-0 text-warn" />
          )}
          <span className="sr-only">{editing.isChecking ? ', is being checked' : ', not checked'}</span>
        </span>
      )}
      {isWrong && <Pencil className="preview-pencil size-3.5" />}
    </button>
  );
}

function CellText({ row, column, cell }: Omit<CellProps, 'editing'>) {
  const { text, errors, warnings, changes } = cell;
  const name = hasStudentId(column) ? row.name : null;
  const own = changes.find(({ field }) => field === column.field);
  if (errors.length > 0) {
    return (
      <>
        <span className={classNames('wrap-anywhere block', text === '' && 'text-fg-3')}>
          {text || 'empty'}
        </span>
        <Note tone="danger" texts={errors.slice(0, 1)} />
      </>
    );
  }
  return (
    <>
      {showsChanges(row) && changes.length > 0 ? (
        changes.map((change) => (
          <Change
            key={change.field}
            change={change}
            label={column.givenLabels.get(change.field)}
            isDate={column.isDate}
          />
        ))
      ) : own === undefined && changes.length > 0 ? (
        <GivenValues column={column} changes={changes} />
      ) : (
        <span className="wrap-anywhere line-clamp-3">
          {own === undefined ? text : own.after === null ? '' : valueText(own.after, column.isDate)}
        </span>
      )}
      {name !== null && <span className="wrap-anywhere block text-fg-3 text-label">{name}</span>}
      <Note tone="warn" texts={warnings} />
    </>
  );
}

/** The values that a cell is divided into, such as the first and the last name. */
function GivenValues({ column, changes }: { column: PreviewColumn; changes: PreviewCell['changes'] }) {
  return changes.map(({ field, after }) => (
    <span key={field} className="wrap-anywhere block">
      <span className="text-fg-3">{`${column.givenLabels.get(field) ?? field} `}</span>
      {valueText(after, false)}
    </span>
  ));
}

interface ChangeProps {
  change: PreviewCell['changes'][number];
  /** The label of the field, where the column gives several. */
  label: string | undefined;
  isDate: boolean;
}

/** The stored value, struck through, and the new one. */
function Change({ change: { before, after }, label, isDate }: ChangeProps) {
  return (
    <span className="block">
      {label !== undefined && `${label} `}
      <del className="wrap-anywhere text-fg-3">{valueText(before, isDate)}</del>
      <ArrowRight className="mx-1 inline size-3 text-fg-3" />
      <span className="sr-only">, then </span>
      <ins className="wrap-anywhere font-semibold text-fg no-underline">{valueText(after, isDate)}</ins>
    </span>
  );
}

/** Why a value is refused, or may be a mistake. */
export function Note({ tone, texts }: { tone: 'danger' | 'warn'; texts: readonly string[] }) {
  const Icon = tone === 'danger' ? CircleAlert : TriangleAlert;
  return texts.map((text) => (
    <span
      key={text}
      className={`mt-0.5 flex gap-1 text-caption ${tone === 'danger' ? 'font-[520] text-danger-text' : 'text-warn'}`}
    >
      <Icon className="mt-0.5 size-3 shrink-0" />
      <span className="min-w-0 wrap-break-word">{text}</span>
    </span>
  ));
}

interface CellEditorProps {
  id: string;
  label: string;
  text: string;
  /** Without the correction that is not checked yet. */
  fileText: string;
  errors: readonly string[];
  onKeep: (text: string, isByKey: boolean) => void;
  onLeave: (isByKey: boolean) => void;
}

/** Enter keeps what was typed, and so does leaving the field; Escape puts the old text back. */
function CellEditor({ id, label, text, fileText, errors, onKeep, onLeave }: CellEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const isDone = useRef(false);
  useLayoutEffect(() => input.current?.select(), []);
  const close = (keeps: boolean, isByKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    if (keeps && typed !== text) onKeep(typed, isByKey);
    else onLeave(isByKey);
  };
  return (
    <span className="block">
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: the field replaces the button that was pressed.
        autoFocus
        aria-label={label}
        aria-describedby={`${id}-hint`}
        aria-invalid={errors.length > 0 ? true : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => close(true, false)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' || event.key === 'Escape') {
            event.preventDefault();
            close(event.key === 'Enter', true);
          }
          // Not to the table, whose arrow keys move between cells.
          event.stopPropagation();
        }}
        className="control min-h-9! animate-none! px-2!"
      />
      <span id={`${id}-hint`} className="block px-2 py-1.5 text-caption">
        {errors[0] !== undefined && <b className="block font-[560] text-danger-text">{errors[0]}</b>}
        <span className="wrap-anywhere text-fg-3">
          {`${fileText === '' ? 'The cell is empty.' : `The file says ${fileText}.`} Enter keeps, Esc puts back.`}
        </span>
      </span>
    </span>
  );
}
