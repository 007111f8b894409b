import { useEffect, useMemo, useRef, useState } from 'react';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import type { PolicyRules } from '../../../../domain/grading/policy.ts';
import { movedBoundaries } from '../../../../domain/marksheets/boundaries.ts';
import { classStatistics, rowsWithLetter } from '../../../../domain/marksheets/class-statistics.ts';
import { gradeClass } from '../../../../domain/marksheets/letters.ts';
import {
  isOvertaken,
  isSameScheme,
  moveBoundary,
  proposeFor,
  type Scheme,
  sheetScheme,
  toSheetRows,
} from './scheme.ts';
import { readSchemeDraft, writeSchemeDraft } from './scheme-draft.ts';
import { changeScheme, NO_CHANGES, redoChange, type SchemeHistory, undoChange } from './scheme-history.ts';

interface Edit {
  history: SchemeHistory;
  /** The scheme of the sheet when the first change was made; null without changes. */
  base: Scheme | null;
}

const NO_EDIT: Edit = { history: NO_CHANGES, base: null };

function storedEdit(sheetId: number): Edit {
  const draft = readSchemeDraft(sheetId);
  return draft === null
    ? NO_EDIT
    : { history: { ...NO_CHANGES, past: [draft.base], present: draft.scheme }, base: draft.base };
}

export type SchemeEditor = ReturnType<typeof useScheme>;

/** The scheme of a sheet as it is changed on the screen, with everything that follows from it, by the rules of the server. */
export function useScheme(sheet: Sheet, rules: PolicyRules, isReadOnly: boolean) {
  const { sheet_id } = sheet;
  const [typed, setEdit] = useState(() => storedEdit(sheet_id));
  // What was not stored before the sheet was submitted stays out of sight, in case it is taken back.
  const edit = isReadOnly ? NO_EDIT : typed;
  const rows = useMemo(() => toSheetRows(sheet), [sheet]);
  const stored = useMemo(() => sheetScheme(sheet, rows, rules), [sheet, rows, rules]);
  const groups = useRef(0);
  const { present } = edit.history;
  const scheme = present ?? stored;

  useEffect(() => {
    const { base, history } = typed;
    writeSchemeDraft(
      sheet_id,
      base === null || history.present === null ? null : { base, scheme: history.present },
    );
  }, [sheet_id, typed]);

  const proposal = useMemo(() => proposeFor(rows, scheme, rules), [rows, scheme, rules]);
  const result = useMemo(
    () =>
      scheme.boundaries === null
        ? null
        : gradeClass(rows, scheme.boundaries, { ...rules, grading_method: scheme.method }),
    [rows, scheme, rules],
  );
  const statistics = useMemo(() => classStatistics(rows), [rows]);
  const totals = useMemo(() => rowsWithLetter(rows).map(({ total }) => total), [rows]);

  const apply = (step: (history: SchemeHistory) => SchemeHistory) =>
    setEdit(({ history, base }) => ({ history: step(history), base: base ?? stored }));
  const change = (next: Scheme, group: string | null = null) =>
    apply((history) => changeScheme(history, stored, next, group));

  return {
    rows,
    rules,
    stored,
    scheme,
    proposal,
    result,
    statistics,
    totals,
    moved:
      scheme.boundaries === null || proposal.boundaries === null
        ? []
        : movedBoundaries(proposal.boundaries, scheme.boundaries),
    /** Whether the scheme of the sheet is stored, or follows from the policy. */
    isStored: sheet.boundaries_stored,
    isChanged: !isSameScheme(scheme, stored),
    /** Somebody else has stored another scheme since the first change. */
    isOvertaken: edit.base !== null && isOvertaken(edit.base, sheet, stored),
    canUndo: edit.history.past.length > 0,
    canRedo: edit.history.future.length > 0,
    /** Another method, parameter or step. What was moved by hand is replaced by a new proposal. */
    choose: (rule: Partial<Omit<Scheme, 'boundaries'>>) => {
      const next = { ...scheme, ...rule };
      change({ ...next, boundaries: proposeFor(rows, next, rules).boundaries });
    },
    /** A name for moves that are undone together. */
    newGroup: () => {
      groups.current += 1;
      return String(groups.current);
    },
    /** @param group moves with the same name are undone together */
    move: (index: number, to: number, group: string | null = null) => {
      if (scheme.boundaries === null) return;
      change({ ...scheme, boundaries: moveBoundary(scheme.boundaries, index, to, scheme.step) }, group);
    },
    setBoundaries: (boundaries: readonly number[]) => change({ ...scheme, boundaries }),
    undo: () => apply(undoChange),
    redo: () => apply(redoChange),
    /** Makes the stored scheme the one that the changes start from. */
    rebase: () => setEdit(({ history }) => ({ history, base: stored })),
    /** Goes back to what is stored. */
    discard: () => setEdit(NO_EDIT),
  };
}
