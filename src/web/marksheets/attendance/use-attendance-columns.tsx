import { useQuery } from '@tanstack/react-query';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useMemo,
  useState,
} from 'react';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { foldId, readPastedText } from '../../../domain/columns/pasted-table.ts';
import type { PolicyRules } from '../../../domain/grading/policy.ts';
import { attendanceFigures, neededToAttend } from '../../../domain/marksheets/attendance.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { policiesQuery } from '../../settings/grading/policy-queries.ts';
import { fullName } from '../../students/student-format.ts';
import type { Column } from '../../ui/table.tsx';
import type { TypedCell } from '../grid/model/mark-editor.ts';
import {
  initialChoices,
  isPlain,
  type Pasted,
  type PasteTarget,
  planPaste,
  toCells,
  toPasted,
} from '../grid/model/paste.ts';
import { PasteDialog } from '../grid/paste-dialog.tsx';
import { takeStep } from '../grid/saving/use-mark-editing.ts';
import { useCanEdit, useOpenSheet } from '../sheet-context.tsx';
import { AttendanceCell, type PartFacts } from './attendance-cell.tsx';
import { completeAttendance, readAttendance, toPart } from './attendance-text.ts';
import { HeldDialog } from './held-dialog.tsx';
import {
  type AttendanceView,
  heldOf,
  PARTS,
  type Part,
  useAttendanceState,
  viewAttendance,
} from './use-attendance-editing.ts';
import './attendance.css';

/** The rules of the policy of the sheet; undefined until they are read. */
function useSheetRules(): PolicyRules | undefined {
  const { sheet } = useOpenSheet();
  return useQuery(policiesQuery).data?.find(({ policy_id }) => policy_id === sheet.policy_id)?.rules;
}

/** Whether the attendance of the page's sheet can be typed. */
export function useCanEditAttendance(): boolean {
  const { rectifies } = useOpenSheet().sheet;
  return useCanEdit() && rectifies === null;
}

/** Whether the user may condone short attendance. */
export function useCanCondone(): boolean {
  const isAdmin = useCurrentUser()?.role === 'admin';
  return useCanEditAttendance() && isAdmin;
}

export interface AttendanceTable {
  columns: readonly Column<SheetRowReply>[];
  /** The parts, each with how many were held for most students. */
  held: readonly { part: Part; held: number | null }[];
  askHeld: (part: Part) => void;
  /** Of the box around the table. */
  handlers: {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    onPaste: (event: ClipboardEvent<HTMLElement>) => void;
  };
  dialogs: ReactNode;
}

/**
 * Columns of the class list in which the attendance of a draft is typed: arrows and Enter move, H says how many were held, several
 * lines can be pasted, Ctrl Z takes a step back.
 *
 * @param shown the rows on the screen
 */
export function useAttendanceColumns(shown: readonly SheetRowReply[]): AttendanceTable {
  const { sheet, attendance: editor } = useOpenSheet();
  const { unsent } = useAttendanceState();
  const canEdit = useCanEditAttendance();
  const rules = useSheetRules();
  const [chosenHeld, setChosenHeld] = useState<Partial<Record<Part['part'], number>>>({});
  const [asked, setAsked] = useState<Part>();
  const [pasted, setPasted] = useState<{ pasted: Pasted; target: PasteTarget }>();
  const { rows, may_have_lab } = sheet;
  const parts = useMemo(
    () =>
      PARTS.filter(
        ({ part }) =>
          (canEdit && (part === 'theory' || may_have_lab)) ||
          rows.some(({ attendance }) => attendance != null && attendance[part] !== null),
      ),
    [canEdit, may_have_lab, rows],
  );
  const findHeld = (part: Part) =>
    heldOf(rows, part, editor.getState().unsent) ?? chosenHeld[part.part] ?? null;
  const held = useMemo(
    () => parts.map((part) => ({ part, held: heldOf(rows, part, unsent) ?? chosenHeld[part.part] ?? null })),
    [parts, rows, unsent, chosenHeld],
  );
  const type = useCallback(
    (studentId: string, part: Part, text: string) => {
      // As it is at this moment: it may have been set a moment ago.
      const now = heldOf(rows, part, editor.getState().unsent) ?? chosenHeld[part.part] ?? null;
      editor.type([{ studentId, componentId: part.component_id, text: completeAttendance(text, now) }]);
    },
    [editor, rows, chosenHeld],
  );
  const viewOf = (row: SheetRowReply, part: Part) =>
    viewAttendance(row, part, unsent.get(row.student_id)?.get(part.component_id));

  const columns = held.map(({ part, held: usual }): Column<SheetRowReply> => {
    const minimum = rules === undefined ? '' : `${rules.attendance_min}\u00a0% needed`;
    return {
      head: part.name,
      headNote: [...(usual === null ? [] : [`held ${usual}`]), ...(minimum === '' ? [] : [minimum])].join(
        ', ',
      ),
      isNumber: true,
      className: 'max-md:col-start-1 max-md:justify-self-start',
      cell: (row) => {
        const view = viewOf(row, part);
        return (
          <AttendanceCell
            row={row}
            part={part}
            view={view}
            {...{ held: usual, editor, onType: type, isReadOnly: !canEdit }}
            facts={toFacts(
              part,
              view,
              parts.map((one) => [one, viewOf(row, one)] as const),
              rules,
            )}
          />
        );
      },
    };
  });

  const setHeld = (part: Part, count: number) => {
    setChosenHeld((all) => ({ ...all, [part.part]: count }));
    editor.type(
      rows.flatMap((row): TypedCell[] => {
        const { text } = viewOf(row, part);
        const attended = /^(\d+)(\s*(\/|of)\s*\d+)?$/i.exec(text)?.[1];
        if (attended === undefined) return [];
        return [{ studentId: row.student_id, componentId: part.component_id, text: `${attended}/${count}` }];
      }),
    );
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const field = toField(event.target);
    const part = parts.find((one) => one.part === field?.dataset.attendance);
    if (field === undefined || part === undefined || event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isCommand = (ctrlKey || metaKey) && !altKey;
    const handled = () => event.preventDefault();
    const command = isCommand ? key.toLowerCase() : undefined;
    if (command === 'z' || command === 'y') {
      handled();
      takeStep(editor, command === 'y' || shiftKey ? 'redo' : 'undo', 'figure');
      return;
    }
    if (command === 'd') {
      handled();
      const at = shown.findIndex(({ student_id }) => student_id === field.dataset.student);
      const [above, own] = [shown[at - 1], shown[at]];
      if (above && own) type(own.student_id, part, viewOf(above, part).text);
      return;
    }
    if (isCommand || altKey) return;
    if (key.toLowerCase() === 'h') {
      handled();
      field.blur();
      field.focus();
      return setAsked(part);
    }
    const target = findNext(event.currentTarget, field, key, shiftKey);
    if (target === undefined) return;
    handled();
    if (target !== null) return target.focus();
    // At an edge: takes what was typed.
    field.blur();
    field.focus();
  };

  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    const field = toField(event.target);
    const column = parts.findIndex((one) => one.part === field?.dataset.attendance);
    if (field === undefined || column === -1) return;
    const ids = new Set(rows.map(({ student_id }) => foldId(student_id)));
    const table = readPastedText(event.clipboardData.getData('text/plain'), ids);
    if (table.length <= 1 && (table[0]?.length ?? 0) <= 1) return;
    event.preventDefault();
    const toPasteRow = (row: SheetRowReply) => ({
      studentId: row.student_id,
      name: fullName(row),
      texts: new Map(parts.map((part) => [part.component_id, viewOf(row, part).text])),
    });
    const target: PasteTarget = {
      rows: shown.map(toPasteRow),
      students: rows.map(toPasteRow),
      components: parts.map((part) => ({ ...part, max: 500 })),
      row: shown.findIndex(({ student_id }) => student_id === field.dataset.student),
      column,
      read: (text, { component_id }) => {
        const part = parts.find((one) => one.component_id === component_id);
        return readAttendance(part === undefined ? text : completeAttendance(text, findHeld(part)));
      },
    };
    const next = toPasted(table, target);
    const plan = planPaste(next, target, initialChoices(next, target));
    if (isPlain(next, target, plan)) editor.type(toCells(plan));
    else setPasted({ pasted: next, target });
  };

  return {
    columns,
    held,
    askHeld: setAsked,
    handlers: { onKeyDown, onPaste },
    dialogs: (
      <>
        {asked && (
          <HeldDialog
            part={asked}
            held={findHeld(asked)}
            onSet={(count) => setHeld(asked, count)}
            onClose={() => setAsked(undefined)}
          />
        )}
        {pasted && (
          <PasteDialog
            {...pasted}
            noun="figure"
            onPaste={(cells) => editor.type(cells)}
            onClose={() => setPasted(undefined)}
          />
        )}
      </>
    ),
  };
}

const toField = (target: EventTarget): HTMLInputElement | undefined =>
  target instanceof HTMLInputElement && target.dataset.attendance !== undefined ? target : undefined;

/** Where a key leads: undefined where it stays in the field, null at an edge. */
function findNext(
  box: HTMLElement,
  field: HTMLInputElement,
  key: string,
  shiftKey: boolean,
): HTMLInputElement | null | undefined {
  const { attendance, student } = field.dataset;
  const fields = [...box.querySelectorAll<HTMLInputElement>('input[data-attendance]')];
  const column = fields.filter((one) => one.dataset.attendance === attendance);
  const at = column.indexOf(field);
  if (key === 'ArrowUp' || (key === 'Enter' && shiftKey)) return column[at - 1] ?? null;
  if (key === 'ArrowDown' || key === 'Enter') return column[at + 1] ?? null;
  const { selectionStart: start, selectionEnd: end, value } = field;
  const isWhole = start === 0 && end === value.length;
  const row = fields.filter((one) => one.dataset.student === student);
  if (key === 'ArrowRight' && (isWhole || start === value.length)) return row[row.indexOf(field) + 1];
  if (key === 'ArrowLeft' && (isWhole || end === 0)) return row[row.indexOf(field) - 1];
  return undefined;
}

/** The figures of a part of a row as it is shown, with what was typed. */
function toFacts(
  { part }: Part,
  view: AttendanceView,
  views: readonly (readonly [Part, AttendanceView])[],
  rules: PolicyRules | undefined,
): PartFacts {
  if (rules === undefined || view.kind === 'wrong') return { percent: null, isShort: false, needed: null };
  const shown = { theory: null, lab: null };
  const typed = Object.fromEntries(
    views.map(([one, its]) => [one.part, its.kind === 'wrong' ? null : toPart(its.cell)]),
  );
  const figures = attendanceFigures({ ...shown, ...typed }, rules);
  const own = figures[part];
  const isBelow = own?.percent != null && own.percent < rules.attendance_min;
  return {
    percent: own?.percent ?? null,
    isShort: figures.short && (isBelow || !rules.attendance_separate),
    needed: neededToAttend(own, rules),
  };
}
