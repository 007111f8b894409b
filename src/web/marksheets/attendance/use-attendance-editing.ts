import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Sheet, SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { ATTENDANCE_PARTS } from '../../../domain/marksheets/attendance.ts';
import { call } from '../../lib/call.ts';
import { authToken } from '../../lib/session.ts';
import { type EditedSheet, type EditorState, MarkEditor } from '../grid/model/mark-editor.ts';
import {
  type CellView,
  eachUnsent,
  type Unsent,
  type UnsentCells,
  viewValue,
  withCells,
} from '../grid/model/unsent-cells.ts';
import { createUnsentStorage } from '../grid/model/unsent-storage.ts';
import { editorBase, requireSession, useEditorOnPage } from '../grid/saving/use-mark-editing.ts';
import { useOpenSheet } from '../sheet-context.tsx';
import { mergeRows, sheetQuery } from '../sheet-queries.ts';
import {
  type AttendanceText,
  type PartName,
  readAttendance,
  storedAttendance,
  toAttendanceText,
  toPart,
  usualHeld,
} from './attendance-text.ts';

/** Theory and lab are typed as the components of marks are. */
export interface Part {
  component_id: number;
  part: PartName;
  name: string;
}
export const PARTS: readonly Part[] = ATTENDANCE_PARTS.map((part, i) => ({
  component_id: i + 1,
  part,
  name: { theory: 'Theory', lab: 'Lab' }[part],
}));

export type AttendanceEditor = MarkEditor<AttendanceText, Part>;
export type AttendanceView = CellView<AttendanceText>;

const isText = (value: unknown): value is AttendanceText => value === null || typeof value === 'string';
const unsentAttendance = createUnsentStorage('attendance', isText);

type AttendanceSheet = EditedSheet<AttendanceText, Part>;

const toEditedRow = (row: SheetRowReply): AttendanceSheet['rows'][number] => ({
  student_id: row.student_id,
  cells: Object.fromEntries(
    PARTS.map(({ component_id, part }) => [component_id, storedAttendance(row, part)]),
  ),
});

const toEditedSheet = ({ state, version, rows }: Sheet): AttendanceSheet => ({
  ...{ state, version },
  categories: [{ components: PARTS }],
  rows: rows.map(toEditedRow),
});

/** The editors by session and sheet. They stay when the page is left, so that what was typed is stored. */
const editors = new Map<string, AttendanceEditor>();

function openEditor(queries: QueryClient, sheet: Sheet): AttendanceEditor {
  const { sheet_id } = sheet;
  const token = authToken();
  const key = `${token} ${sheet_id}`;
  const open = editors.get(key);
  if (open !== undefined) return open;
  const editor: AttendanceEditor = new MarkEditor(toEditedSheet(sheet), {
    ...editorBase(queries, sheet_id, unsentAttendance),
    empty: null,
    read: readAttendance,
    send: async (cells) => {
      requireSession(token);
      const stored = queries.getQueryData(sheetQuery(sheet_id).queryKey)?.sheet.rows ?? sheet.rows;
      const byId = new Map(stored.map((row) => [row.student_id, row]));
      const rows = [...new Set(cells.map(({ student_id }) => student_id))].map((student_id) => {
        const row = byId.get(student_id);
        const texts = ({ component_id, part }: Part) => {
          const sent = cells.find(
            (cell) => cell.student_id === student_id && cell.component_id === component_id,
          );
          const is = row === undefined ? null : storedAttendance(row, part);
          return { value: sent === undefined ? is : sent.value, was: sent === undefined ? is : sent.was };
        };
        const [theory, lab] = PARTS.map(texts);
        return {
          student_id,
          ...{ theory: toInput(theory?.value), lab: toInput(lab?.value) },
          was: { theory: toInput(theory?.was), lab: toInput(lab?.was) },
        };
      });
      const reply = await call('PUT /api/sheets/:sheet_id/attendance', {
        params: { sheet_id },
        body: { rows },
        hasOverlay: false,
      });
      mergeRows(queries, sheet_id, reply);
      return {
        conflicts: cells.filter(({ student_id, component_id, value }) => {
          const is = reply.conflicts.find((conflict) => conflict.student_id === student_id)?.is;
          const part = PARTS.find((one) => one.component_id === component_id)?.part;
          return is !== undefined && part !== undefined && toAttendanceText(is[part]) !== value;
        }),
        rows: reply.rows.map(toEditedRow),
      };
    },
  });
  editors.set(key, editor);
  return editor;
}

/** A part with all the members that a call may have. */
function toInput(text: AttendanceText | undefined) {
  const part = toPart(text ?? null);
  return part === null ? null : { held: null, attended: null, percent: null, ...part };
}

/** The editor of the attendance of the page's sheet. */
export function useAttendanceEditing(sheet: Sheet): AttendanceEditor {
  const queries = useQueryClient();
  const [editor] = useState(() => openEditor(queries, sheet));
  const edited = useMemo(() => toEditedSheet(sheet), [sheet]);
  useEditorOnPage(editor, edited, sheet.sheet_id, unsentAttendance);
  return editor;
}

export function useAttendanceState(): EditorState<AttendanceText> {
  const { attendance } = useOpenSheet();
  return useSyncExternalStore(attendance.subscribe, attendance.getState);
}

/** A cell as it is shown. */
export const viewAttendance = (
  row: SheetRowReply,
  part: Part,
  unsent: Unsent<AttendanceText> | undefined,
): AttendanceView => viewValue(storedAttendance(row, part.part), unsent, readAttendance);

/** How many classes of a part were held for most students, with what was typed here. */
export const heldOf = (rows: readonly SheetRowReply[], part: Part, unsent: UnsentCells<AttendanceText>) =>
  usualHeld(
    rows.map((row) => {
      const typed = unsent.get(row.student_id)?.get(part.component_id);
      return typed === undefined ? storedAttendance(row, part.part) : typed.text;
    }),
  );

/** Attendance that was typed in this browser and is not in the sheet. */
export interface UnsentAttendance {
  studentId: string;
  componentId: number;
  kind: 'waiting' | 'wrong' | 'conflict' | 'lost';
  text: string;
}

/** What was typed in this browser, here or in another window, and the sheet does not have; `lost`: of a student who has been taken off. */
export function useUnsentAttendance(): readonly UnsentAttendance[] {
  const { sheet } = useOpenSheet();
  const { unsent, elsewhere } = useAttendanceState();
  return useMemo(() => {
    const all = withCells(elsewhere, eachUnsent(unsent));
    if (all.size === 0) return [];
    const rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
    return [...eachUnsent(all)].flatMap(([address, typed]): UnsentAttendance[] => {
      const row = rows.get(address.studentId);
      const part = PARTS.find(({ component_id }) => component_id === address.componentId);
      if (row === undefined || part === undefined) return [{ ...address, kind: 'lost', text: typed.text }];
      const { kind, text } = viewAttendance(row, part, typed);
      return kind === 'stored' ? [] : [{ ...address, kind, text }];
    });
  }, [sheet, unsent, elsewhere]);
}
