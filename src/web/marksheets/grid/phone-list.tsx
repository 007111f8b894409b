import { ArrowDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fullName } from '../../students/student-format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { useOpenSheet } from '../sheet-context.tsx';
import { columnText, figure, useGridStatistics } from './grid-edges.tsx';
import { cellText } from './model/cell-text.ts';
import type { MarkEditor } from './model/mark-editor.ts';
import type { Place } from './model/selection.ts';
import { type Column, isMissing, type ShownRow } from './model/shown-rows.ts';
import type { CellView } from './model/unsent-cells.ts';

interface PhoneListProps {
  rows: readonly ShownRow[];
  columns: readonly Column[];
  /** The cell that the address names. */
  linked: Place | undefined;
  editor: MarkEditor;
  isReadOnly: boolean;
}

/** One component at a time, as a list of the class. */
export function PhoneList({ rows, columns, linked, editor, isReadOnly }: PhoneListProps) {
  const { others } = useOpenSheet();
  const [place, setPlace] = useState(linked?.column ?? 0);
  const list = useRef<HTMLUListElement>(null);
  const at = Math.min(place, columns.length - 1);
  const column = columns[at];
  // Once: the field of the link is no longer meant when its component is shown again.
  const isLinked = useRef(linked !== undefined);
  useEffect(() => {
    isLinked.current = false;
  }, []);
  const { ofColumns } = useGridStatistics(rows, columns);
  const statistics = ofColumns[at];
  if (column === undefined || statistics === undefined) return null;
  const { component } = column;
  const fields = () => [...(list.current?.querySelectorAll<HTMLInputElement>('input[data-mark]') ?? [])];
  const focusAt = (index: number) => {
    const field = fields()[index];
    field?.focus();
    field?.select();
  };
  const nextMissing = () => {
    const { activeElement } = document;
    const now = activeElement instanceof HTMLInputElement ? fields().indexOf(activeElement) : -1;
    const missing = rows.flatMap((row, i) => (isMissing(row, at) ? [i] : []));
    focusAt(missing.find((i) => i > now) ?? missing[0] ?? -1);
  };
  const entered = rows.length - rows.filter(({ views }) => views[at]?.text === '').length;
  return (
    <div className="screen-only flex flex-1 flex-col">
      <div className="mb-2.5 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center rounded-control border border-line-2 text-center">
        <IconButton
          label="Previous component"
          large
          aria-disabled={at === 0}
          className={at === 0 ? 'opacity-40' : undefined}
          onClick={() => setPlace(Math.max(0, at - 1))}
        >
          <ChevronLeft />
        </IconButton>
        <div aria-live="polite" className="wrap-anywhere py-1.5">
          <b className="block font-[620]">{component.name}</b>
          <span className="text-caption text-fg-3">{columnText(column)}</span>
        </div>
        <IconButton
          label="Next component"
          large
          aria-disabled={at === columns.length - 1}
          className={at === columns.length - 1 ? 'opacity-40' : undefined}
          onClick={() => setPlace(Math.min(columns.length - 1, at + 1))}
        >
          <ChevronRight />
        </IconButton>
      </div>
      {others.length > 0 && (
        <p role="status" className="wrap-anywhere mb-2 text-label text-ok">
          {`Also here: ${others.map(({ name }) => name).join(', ')}`}
        </p>
      )}
      <div className="mb-2.5 flex items-center gap-3">
        <progress className="progress" aria-label="Marks entered" value={entered} max={rows.length} />
        <span className="whitespace-nowrap text-fg-3 text-label">{`${entered} of ${rows.length}`}</span>
      </div>
      <ul
        ref={list}
        aria-label={`Marks of ${component.name}`}
        className="overflow-clip rounded-panel border border-line"
      >
        {rows.map(({ row, views }, i) => {
          const view = views[at];
          if (view === undefined) return null;
          const address = { studentId: row.student_id, componentId: component.component_id };
          return (
            <MarkItem
              key={`${row.student_id} ${component.component_id}`}
              name={fullName(row)}
              studentId={row.student_id}
              view={view}
              max={component.max}
              startsFocused={isLinked.current && i === linked?.row && at === linked.column}
              isReadOnly={isReadOnly}
              onType={(text) => editor.type([{ ...address, text }])}
              onEnter={() => focusAt(i + 1)}
              onKeep={() => editor.keepMine(address)}
              onTake={() => editor.discard([address])}
            />
          );
        })}
      </ul>
      <div className="form-foot flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
        {(
          [
            ['Mean', figure(statistics.mean)],
            ['SD', figure(statistics.std_dev)],
            ['Missing', statistics.missing],
          ] as const
        ).map(([name, value]) => (
          <span key={name} className="grid text-caption text-fg-3">
            {name} <b className="font-[620] text-body text-fg">{value}</b>
          </span>
        ))}
        {!isReadOnly && (
          <Button className="ms-auto" onClick={nextMissing}>
            <ArrowDown />
            Next missing
          </Button>
        )}
      </div>
    </div>
  );
}

interface MarkItemProps {
  name: string;
  studentId: string;
  view: CellView;
  max: number;
  startsFocused: boolean;
  isReadOnly: boolean;
  onType: (text: string) => void;
  onEnter: () => void;
  onKeep: () => void;
  onTake: () => void;
}

function MarkItem({ name, studentId, view, max, startsFocused, isReadOnly, ...on }: MarkItemProps) {
  const [typed, setTyped] = useState(view.text);
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setTyped(view.text);
  }, [view.text]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (startsFocused) field.current?.focus();
  }, [startsFocused]);
  const takeTyped = useRef(() => {});
  useLayoutEffect(() => {
    takeTyped.current = () => {
      if (isTyping.current) on.onType(typed);
    };
  });
  // A field that goes loses no focus.
  useLayoutEffect(() => () => takeTyped.current(), []);
  const id = `mark-${studentId}`;
  const leave = () => {
    isTyping.current = false;
    on.onType(typed);
    setTyped(typed.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    leave();
    on.onEnter();
  };
  return (
    <li className="border-line border-b px-3.5 py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <label htmlFor={id} className="wrap-anywhere min-w-24 flex-1">
          <span className="block font-[560]">{name}</span>
          <span className="text-fg-3 text-label">{studentId}</span>
        </label>
        {!isReadOnly &&
          (['A', 'E'] as const).map((letter) => (
            <button
              key={letter}
              type="button"
              aria-label={`${name}: ${letter === 'A' ? 'absent' : 'excused'}`}
              aria-pressed={view.text === letter}
              onClick={() => on.onType(view.text === letter ? '' : letter)}
              className={classNames(
                'size-11 rounded-control border border-line-2 font-[560] text-fg-2',
                view.text === letter && 'border-ink-line! bg-ink-soft text-ink-text!',
              )}
            >
              {letter}
            </button>
          ))}
        <span className="relative flex w-24">
          <input
            ref={field}
            id={id}
            data-mark
            className="control animate-none! pe-12 text-end"
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            readOnly={isReadOnly}
            aria-invalid={view.kind === 'wrong' ? true : undefined}
            aria-describedby={view.kind === 'wrong' || view.kind === 'conflict' ? `${id}-note` : undefined}
            value={typed}
            onChange={(event) => {
              isTyping.current = true;
              setTyped(event.target.value);
            }}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
          <span className="pointer-events-none absolute inset-y-0 end-px flex items-center px-2 text-fg-3 text-label">
            {`/${max}`}
          </span>
        </span>
      </div>
      {view.kind === 'wrong' && (
        <div className="mt-1 flex justify-end">
          <FieldError id={`${id}-note`}>{view.fault}</FieldError>
        </div>
      )}
      {view.kind === 'conflict' && (
        <div id={`${id}-note`} className="mt-1.5 text-label text-warn">
          {`Somebody else has entered ${cellText(view.stored) || 'nothing'}. You typed ${view.text || 'nothing'}.`}
          {!isReadOnly && (
            <span className="mt-1.5 flex flex-wrap gap-2">
              <Button size="sm" onClick={on.onTake}>{`Take ${cellText(view.stored) || 'empty'}`}</Button>
              <Button size="sm" onClick={on.onKeep}>{`Keep ${view.text || 'empty'}`}</Button>
            </span>
          )}
        </div>
      )}
    </li>
  );
}
