import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import type { PeopleEvent, Sheet } from '../../contract/marksheets/sheets.ts';
import { useCanFill } from '../lib/session.ts';
import type { AttendanceEditor } from './attendance/use-attendance-editing.ts';
import type { MarkEditor } from './grid/model/mark-editor.ts';

export type Person = PeopleEvent['people'][number];

export interface OpenSheet {
  sheet: Sheet;
  /** The editor of the marks of the sheet. */
  editor: MarkEditor;
  /** The editor of the attendance of its rows. */
  attendance: AttendanceEditor;
  /** The others who have it open. */
  others: readonly Person[];
  /** Whether changes of others arrive. */
  isLive: boolean;
  /** Where the tabs put their buttons. */
  actions: HTMLElement | null;
}

export const SheetContext = createContext<OpenSheet | null>(null);

export function useOpenSheet(): OpenSheet {
  const open = useContext(SheetContext);
  if (open === null) throw new Error('This is not part of the page of a mark sheet.');
  return open;
}

/** The sheet of the page, as it is now: what others change arrives by itself. */
export const useSheet = (): Sheet => useOpenSheet().sheet;

/** Buttons of a tab, in the head of the page. */
export function SheetActions({ children }: { children: ReactNode }) {
  const { actions } = useOpenSheet();
  return actions && createPortal(children, actions);
}

/** Whether the user may change the marks, and how rows end. */
export function useCanEdit(): boolean {
  const canFill = useCanFill();
  const { state } = useSheet();
  return canFill && state === 'draft';
}
