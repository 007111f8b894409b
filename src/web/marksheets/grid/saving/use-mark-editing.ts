import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import type { Cell } from '../../../../domain/marksheets/totals.ts';
import { ApiError, refusalText } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { authToken, currentUserId } from '../../../lib/session.ts';
import { flash } from '../../../ui/flash.tsx';
import { useOpenSheet } from '../../sheet-context.tsx';
import { invalidateSheet, mergeRows } from '../../sheet-queries.ts';
import { readCell } from '../model/cell-text.ts';
import { type EditedSheet, type EditorState, MarkEditor } from '../model/mark-editor.ts';
import {
  type CellAddress,
  type CellValue,
  eachUnsent,
  listUnsent,
  type Unsent,
  type UnsentMark,
  withCells,
} from '../model/unsent-cells.ts';
import { type UnsentStorage, unsentMarks } from '../model/unsent-storage.ts';

/** The editors by session and sheet. They stay when the grid is left, so that typed marks are stored. */
const editors = new Map<string, MarkEditor>();

function openEditor(queries: QueryClient, sheet: Sheet): MarkEditor {
  const { sheet_id } = sheet;
  const token = authToken();
  const key = `${token} ${sheet_id}`;
  const open = editors.get(key);
  if (open !== undefined) return open;
  const editor = new MarkEditor<Cell>(sheet, {
    ...editorBase(queries, sheet_id, unsentMarks),
    empty: null,
    read: readCell,
    send: async (cells) => {
      requireSession(token);
      const reply = await call('PUT /api/sheets/:sheet_id/cells', {
        params: { sheet_id },
        body: { cells },
        hasOverlay: false,
      });
      mergeRows(queries, sheet_id, reply);
      return reply;
    },
  });
  editors.set(key, editor);
  return editor;
}

/** Never sends in the name of somebody else. */
export function requireSession(token: string | null): void {
  if (authToken() !== token) throw new ApiError(401, 'The session has ended.');
}

/** What the editors of a sheet have in common: the storage of this user, and which errors end an attempt. */
export function editorBase<Value>(queries: QueryClient, sheetId: number, storage: UnsentStorage<Value>) {
  const userId = currentUserId();
  const token = authToken();
  return {
    readKept: () => storage.read(userId, sheetId),
    keep: (changes: Iterable<readonly [CellAddress, Unsent<Value> | undefined]>) =>
      authToken() === token && storage.store(userId, sheetId, changes),
    getRefusal: (error: unknown) => {
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return undefined;
      if (error.status === 408 || error.status === 429) return undefined;
      // Its state, set-up or class list is another one now, or the right to change it has ended.
      void invalidateSheet(queries, sheetId);
      return refusalText(error, error.message);
    },
  };
}

/** The editor of the marks of the sheet of a page. */
export function useMarkEditing(sheet: Sheet): MarkEditor {
  const queries = useQueryClient();
  const [editor] = useState(() => openEditor(queries, sheet));
  useEditorOnPage(editor, sheet, sheet.sheet_id, unsentMarks);
  return editor;
}

/** Keeps an editor informed of the sheet as it is now, of other windows, of the network, and of when the page is left. */
export function useEditorOnPage<Value extends CellValue, Of extends { component_id: number }>(
  editor: MarkEditor<Value, Of>,
  sheet: EditedSheet<Value, Of>,
  sheetId: number,
  storage: UnsentStorage<Value>,
): void {
  useEffect(() => editor.update(sheet), [editor, sheet]);
  useEffect(() => {
    editor.follow();
    return storage.follow(currentUserId(), sheetId, () => editor.follow());
  }, [editor, sheetId, storage]);
  useEffect(() => {
    const sendNow = () => editor.sendNow();
    const keepAll = () => {
      // Takes what is being typed.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      editor.keepAll();
    };
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    const warnIfUnsent = () => {
      if (editor.getState().unsent.size > 0) window.addEventListener('beforeunload', warn);
      else window.removeEventListener('beforeunload', warn);
    };
    warnIfUnsent();
    const unsubscribe = editor.subscribe(warnIfUnsent);
    window.addEventListener('online', sendNow);
    window.addEventListener('pagehide', keepAll);
    return () => {
      unsubscribe();
      window.removeEventListener('online', sendNow);
      window.removeEventListener('pagehide', keepAll);
      window.removeEventListener('beforeunload', warn);
    };
  }, [editor]);
}

/** The state of the editor of the page's sheet. */
export function useEditorState(): EditorState {
  const { editor } = useOpenSheet();
  return useSyncExternalStore(editor.subscribe, editor.getState);
}

/** The lists of {@link useUnsentMarks}: several parts of a page show the same. */
const listed = new WeakMap<EditorState, { sheet: Sheet; marks: readonly UnsentMark[] }>();

/**
 * The marks of this browser that are not in the sheet: wrong, in conflict, or not sent yet. Those of other windows and of
 * earlier ones are among them.
 */
export function useUnsentMarks(): readonly UnsentMark[] {
  const { sheet } = useOpenSheet();
  const state = useEditorState();
  const known = listed.get(state);
  if (known?.sheet === sheet) return known.marks;
  const { unsent, elsewhere } = state;
  const all = elsewhere.size === 0 ? unsent : withCells(elsewhere, eachUnsent(unsent));
  const marks = listUnsent(sheet, all);
  listed.set(state, { sheet, marks });
  return marks;
}

/** Undoes or redoes a step, and says which cells it left. @returns the cells that it has changed */
export function takeStep(
  editor: Pick<MarkEditor, 'undo' | 'redo'>,
  direction: 'undo' | 'redo',
  noun = 'mark',
): readonly CellAddress[] {
  const { cells, left } = editor[direction]();
  if (left > 0) {
    const text =
      left === 1
        ? `1 ${noun} has been changed since and stays as it is.`
        : `${left} ${noun}s have been changed since and stay as they are.`;
    flash(text, 'warning');
  }
  return cells;
}
