import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CellsReply, Sheet } from '../../../contract/marksheets/sheets.ts';
import { ApiError, call } from '../../lib/api.ts';
import { authToken, currentUserId } from '../../lib/session.ts';
import { flash } from '../../ui/flash.tsx';
import { invalidateSheet, mergeRows, sheetPath } from '../sheet-queries.ts';
import { MarkEditor } from './model/mark-editor.ts';
import type { CellAddress } from './model/unsent-cells.ts';
import { readUnsent, storeUnsent, watchUnsent } from './model/unsent-storage.ts';

/** By session and sheet. They live on when the grid is left, so that what was typed is stored. */
const editors = new Map<string, MarkEditor>();

function openEditor(queries: QueryClient, sheet: Sheet): MarkEditor {
  const { sheet_id } = sheet;
  const userId = currentUserId();
  const token = authToken();
  const key = `${token} ${sheet_id}`;
  const open = editors.get(key);
  if (open !== undefined) return open;
  const editor = new MarkEditor(sheet, {
    unsent: readUnsent(userId, sheet_id),
    send: async (cells) => {
      // Never in the name of somebody else.
      if (authToken() !== token) throw new ApiError(401, 'The session has ended.');
      const reply = await call<CellsReply>('PUT', `${sheetPath(sheet_id)}/cells`, {
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
      return Object.values(error.errors)[0]?.[0] ?? error.message;
    },
    keep: (changes) => authToken() === token && storeUnsent(userId, sheet_id, changes),
  });
  editors.set(key, editor);
  return editor;
}

/** The editor of a sheet with its state. */
export function useMarkEditor(sheet: Sheet) {
  const queries = useQueryClient();
  const [editor] = useState(() => openEditor(queries, sheet));
  useEffect(() => editor.update(sheet), [editor, sheet]);
  useEffect(() => {
    const follow = () => editor.follow(readUnsent(currentUserId(), sheet.sheet_id));
    follow();
    return watchUnsent(follow);
  }, [editor, sheet.sheet_id]);
  const state = useSyncExternalStore(editor.subscribe, editor.getState);
  const isUnsent = state.unsent.size > 0;
  useEffect(() => {
    const sendNow = () => editor.sendNow();
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('online', sendNow);
    if (isUnsent) window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('online', sendNow);
      window.removeEventListener('beforeunload', warn);
    };
  }, [editor, isUnsent]);
  return { editor, state };
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
