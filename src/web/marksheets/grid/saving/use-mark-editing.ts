import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import { ApiError, refusalText } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { authToken, currentUserId } from '../../../lib/session.ts';
import { flash } from '../../../ui/flash.tsx';
import { useOpenSheet } from '../../sheet-context.tsx';
import { invalidateSheet, mergeRows } from '../../sheet-queries.ts';
import { type EditorState, MarkEditor } from '../model/mark-editor.ts';
import {
  type CellAddress,
  eachUnsent,
  listUnsent,
  type UnsentMark,
  withCells,
} from '../model/unsent-cells.ts';
import { readUnsent, storeUnsent, watchUnsent } from '../model/unsent-storage.ts';

/** The editors by session and sheet. They stay when the grid is left, so that typed marks are stored. */
const editors = new Map<string, MarkEditor>();

function openEditor(queries: QueryClient, sheet: Sheet): MarkEditor {
  const { sheet_id } = sheet;
  const userId = currentUserId();
  const token = authToken();
  const key = `${token} ${sheet_id}`;
  const open = editors.get(key);
  if (open !== undefined) return open;
  const editor = new MarkEditor(sheet, {
    readKept: () => readUnsent(userId, sheet_id),
    send: async (cells) => {
      // Never in the name of somebody else.
      if (authToken() !== token) throw new ApiError(401, 'The session has ended.');
      const reply = await call('PUT /api/sheets/:sheet_id/cells', {
        params: { sheet_id },
        body: { cells },
        hasOverlay: false,
      });
      mergeRows(queries, sheet_id, reply);
      return reply;
    },
    getRefusal: (error) => {
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return undefined;
      if (error.status === 408 || error.status === 429) return undefined;
      // Its state, set-up or class list is another one now.
      void invalidateSheet(queries, sheet_id);
      return refusalText(error, error.message);
    },
    keep: (changes) => authToken() === token && storeUnsent(userId, sheet_id, changes),
  });
  editors.set(key, editor);
  return editor;
}

/** The editor of the sheet of a page. It knows the sheet as it is now, other windows, the network, and when the page is left. */
export function useMarkEditing(sheet: Sheet): MarkEditor {
  const queries = useQueryClient();
  const [editor] = useState(() => openEditor(queries, sheet));
  useEffect(() => editor.update(sheet), [editor, sheet]);
  useEffect(() => {
    editor.follow();
    return watchUnsent(currentUserId(), sheet.sheet_id, () => editor.follow());
  }, [editor, sheet.sheet_id]);
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
  return editor;
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

/** Undoes or redoes a step, and says which marks it left. @returns the cells that it has changed */
export function takeStep(editor: MarkEditor, direction: 'undo' | 'redo'): readonly CellAddress[] {
  const { cells, left } = editor[direction]();
  if (left > 0) {
    const text =
      left === 1
        ? '1 mark has been changed since and stays as it is.'
        : `${left} marks have been changed since and stay as they are.`;
    flash(text, 'warning');
  }
  return cells;
}
