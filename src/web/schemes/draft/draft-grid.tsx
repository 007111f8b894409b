import { ChevronRight, CircleAlert, Plus, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { SCHEME_LIMITS } from '../../../domain/schemes/scheme.ts';
import { SEMESTER_COUNT, SEMESTERS } from '../../../domain/student.ts';
import { plural } from '../../lib/format.ts';
import { flash } from '../../ui/flash.tsx';
import type { Catalogue } from './catalogue.ts';
import { DRAFT_COLUMNS, DraftRowFields } from './draft-row.tsx';
import {
  type CellField,
  type DraftRow,
  followCode,
  isBlank,
  moveRow,
  newRow,
  tidyCell,
} from './draft-rows.ts';
import { findBelow, findBeside, focusCell } from './focus-cell.ts';
import type { SchemeCheck } from './use-scheme-check.ts';
import type { SchemeDraft } from './use-scheme-draft.ts';

interface DraftGridProps {
  draft: SchemeDraft;
  check: SchemeCheck;
  catalogue: Catalogue;
}

const HEADS = ['Code or options', 'Title', 'Theory+lab', 'Credits', 'Needs'];

/** The rows of a draft in a grid by semester, worked by keys. */
export function DraftGrid({ draft, check, catalogue }: DraftGridProps) {
  const { rows, change } = draft;
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());

  const add = (semester: number, after?: number) => {
    if (rows.filter((row) => !isBlank(row)).length >= SCHEME_LIMITS.rows)
      return flash(`A scheme has at most ${SCHEME_LIMITS.rows} rows.`, 'warning');
    const row = newRow(semester);
    flushSync(() => {
      setFolded((now) => new Set([...now].filter((one) => one !== semester)));
      change((all) => {
        const at = all.findIndex(({ id }) => id === after);
        return at === -1 ? [...all, row] : all.toSpliced(at + 1, 0, row);
      });
    });
    focusCell({ id: row.id, field: 'code' });
  };
  const edit = ({ id }: DraftRow, field: CellField, text: string) =>
    change((all) =>
      all.map((row) => {
        if (row.id !== id) return row;
        const tidy = tidyCell(field, text, catalogue);
        return field === 'code' ? { ...row, ...followCode(row, tidy, catalogue) } : { ...row, [field]: tidy };
      }),
    );
  const remove = ({ id }: DraftRow) => {
    const at = rows.findIndex((row) => row.id === id);
    const next = rows[at + 1] ?? rows[at - 1];
    flushSync(() => change((all) => all.filter((row) => row.id !== id)));
    if (next) focusCell({ id: next.id, field: 'code' });
    flash('The row has been removed. Ctrl Z brings it back.');
  };
  const move = (id: number, field: CellField, step: 1 | -1) => {
    flushSync(() => change((all) => moveRow(all, id, step, SEMESTER_COUNT)));
    focusCell({ id, field });
  };
  const goToNextFault = (from: HTMLElement) => {
    const places = check.lines.flatMap(({ at }) => at ?? []);
    const now = places.findIndex(
      ({ id, field }) => String(id) === from.dataset.row && field === from.dataset.cell,
    );
    const next = places[now + 1] ?? places[0];
    if (next) focusCell(next);
    else flash('There is no fault.');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target: cell } = event;
    if (!(cell instanceof HTMLInputElement) || event.nativeEvent.isComposing) return;
    const row = rows.find(({ id }) => String(id) === cell.dataset.row);
    const field = cell.dataset.cell as CellField | undefined;
    if (row === undefined || field === undefined) return;
    const act = handleKey(event, cell, {
      goTo: (place) => place && focusStop(place),
      add: () => add(row.semester, row.id),
      move: (step) => move(row.id, field, step),
      undo: draft.undo,
      redo: draft.redo,
      nextFault: () => goToNextFault(cell),
    });
    if (act) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  return (
    // A wide grid scrolls inside its frame.
    <div className="overflow-x-auto rounded-panel border border-line">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields of the rows have the focus; their keys come here. */}
      <div data-grid className="min-w-180" onKeyDown={onKeyDown}>
        <div
          aria-hidden="true"
          className={`grid bg-sunken font-[540] text-caption text-fg-3 ${DRAFT_COLUMNS} [&>*]:border-line [&>*]:px-2.5 [&>*]:py-2.25 [&>:not(:first-child)]:border-s`}
        >
          {HEADS.map((head) => (
            <span key={head}>{head}</span>
          ))}
          <span />
        </div>
        {SEMESTERS.map((semester) => {
          const own = rows.filter((row) => row.semester === semester);
          const isFolded = folded.has(semester);
          return (
            <section
              key={semester}
              aria-label={`Semester ${semester}`}
              data-rows={own.map(({ id }) => id).join(' ')}
            >
              <SemesterBar
                semester={semester}
                rows={own}
                draft={draft}
                check={check}
                isFolded={isFolded}
                onFold={() => {
                  // At once: a link to a cell folds the semester open first.
                  flushSync(() => setFolded((now) => toggled(now, semester)));
                }}
              />
              {!isFolded &&
                own.map((row, i) => (
                  <DraftRowFields
                    key={row.id}
                    row={row}
                    number={i + 1}
                    faults={check.faults.get(row.id)}
                    warnings={check.warnings.get(row.id)}
                    onEdit={edit}
                    onRemove={remove}
                  />
                ))}
              {!isFolded && (
                <button
                  type="button"
                  data-adds
                  className="flex min-h-9 w-full items-center gap-2 border-line border-t px-3 text-fg-2 text-label -outline-offset-2 hover:bg-hover hover:text-fg"
                  onClick={() => add(semester)}
                  onKeyDown={(event) => {
                    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
                    if (step === undefined) return;
                    event.preventDefault();
                    const stop = findBelow(event.currentTarget, step);
                    if (stop) focusStop(stop);
                  }}
                >
                  <Plus className="size-3.5" />
                  Row in semester {semester}
                </button>
              )}
            </section>
          );
        })}
      </div>
    </div>
  );
}

const toggled = (set: ReadonlySet<number>, value: number) =>
  set.has(value) ? new Set([...set].filter((one) => one !== value)) : new Set([...set, value]);

function focusStop(stop: HTMLElement): void {
  stop.focus();
  if (stop instanceof HTMLInputElement) stop.select();
}

interface GridActions {
  goTo: (stop: HTMLElement | undefined) => void;
  add: () => void;
  move: (step: 1 | -1) => void;
  undo: () => void;
  redo: () => void;
  nextFault: () => void;
}

/** @returns whether the key has been handled */
function handleKey(event: KeyboardEvent, cell: HTMLInputElement, actions: GridActions): boolean {
  const { key, altKey, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const isTyped = cell.value !== cell.dataset.stored;
  /** Leaves the cell, which keeps what was typed. */
  const commit = () => flushSync(() => cell.blur());
  const goTo = (stop: HTMLElement | undefined) => {
    if (stop !== undefined) actions.goTo(stop);
  };
  if (key === 'Enter' && isCommand) {
    commit();
    actions.add();
  } else if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    commit();
    actions.move(key === 'ArrowUp' ? -1 : 1);
  } else if (key === 'F8') {
    commit();
    actions.nextFault();
  } else if (isCommand && key.toLowerCase() === 'z' && !isTyped) {
    if (shiftKey) actions.redo();
    else actions.undo();
  } else if (isCommand && key.toLowerCase() === 'y' && !isTyped) actions.redo();
  else if (isCommand || altKey) return false;
  else if (key === 'Escape' && isTyped) {
    cell.value = cell.dataset.stored ?? '';
    cell.select();
  } else if (key === 'Enter') goTo(findBelow(cell, shiftKey ? -1 : 1));
  else if (key === 'ArrowDown') goTo(findBelow(cell, 1));
  else if (key === 'ArrowUp') goTo(findBelow(cell, -1));
  else if (key === 'ArrowLeft' && !shiftKey && isAtEnd(cell, 0)) goTo(findBeside(cell, -1));
  else if (key === 'ArrowRight' && !shiftKey && isAtEnd(cell, cell.value.length)) goTo(findBeside(cell, 1));
  else return false;
  return true;
}

/** The cursor is at this end of the text, and nothing but all of it is selected. */
const isAtEnd = ({ selectionStart, selectionEnd, value }: HTMLInputElement, end: number) =>
  (selectionStart === end && selectionEnd === end) ||
  (selectionStart === 0 && selectionEnd === value.length && value !== '');

interface SemesterBarProps {
  semester: number;
  rows: readonly DraftRow[];
  draft: SchemeDraft;
  check: SchemeCheck;
  isFolded: boolean;
  onFold: () => void;
}

/** The head of a semester, which folds its rows. */
function SemesterBar({ semester, rows, draft, check, isFolded, onFold }: SemesterBarProps) {
  const own = draft.read.rows.filter(({ row }) => row.semester === semester).map(({ row }) => row);
  const theory = own.reduce((sum, row) => sum + row.theory, 0);
  const lab = own.reduce((sum, row) => sum + row.lab, 0);
  const ids = new Set(rows.map(({ id }) => id));
  const lines = check.lines.filter(({ at, ...line }) =>
    at === undefined ? line.semester === semester : ids.has(at.id),
  );
  const faults = lines.filter(({ isRefusal }) => isRefusal).length;
  const warnings = lines.length - faults;
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={onFold}
      className="flex min-h-9 w-full items-center gap-2 border-line border-t bg-canvas px-3 text-start text-label -outline-offset-2 hover:bg-hover"
    >
      <ChevronRight className={`size-3.5 shrink-0 text-fg-3 ${isFolded ? '' : 'rotate-90'}`} />
      <span className="font-[620]">Semester {semester}</span>
      <span className="text-fg-2">
        {rows.length === 0
          ? 'no rows'
          : `${theory}+${lab} = ${plural(theory + lab, 'credit')}, ${plural(rows.length, 'row')}`}
      </span>
      {faults > 0 ? (
        <span className="ms-auto flex items-center gap-1.5 text-danger-text">
          <CircleAlert className="size-3.5" />
          {plural(faults, 'fault')}
        </span>
      ) : (
        warnings > 0 && (
          <span className="ms-auto flex items-center gap-1.5 text-warn">
            <TriangleAlert className="size-3.5" />
            {plural(warnings, 'warning')}
          </span>
        )
      )}
    </button>
  );
}
