import { useQueryClient } from '@tanstack/react-query';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import { keepErrorText } from '../../../forms/messages/error-texts.ts';
import { useTask } from '../../../forms/use-task.ts';
import { ApiError } from '../../../lib/api.ts';
import { callWithVersion } from '../../../lib/call.ts';
import { fieldId } from '../../../ui/fields/field.tsx';
import { invalidateSheet, setSheet, sheetQuery } from '../../sheet-queries.ts';
import { useDraftTexts } from '../../use-draft-texts.ts';
import { isOvertaken, sheetScheme, toSheetRows } from './scheme.ts';
import type { SchemeEditor } from './use-scheme.ts';

/** The name of the field for the reason. */
export const REASON_FIELD = 'grading-reason';

const OVERTAKEN = 'Somebody else has stored other boundaries meanwhile. Yours are kept here.';

/** Stores the scheme of the screen. What somebody else has stored meanwhile is overwritten only when the user says so. */
export function useStoreScheme(sheet: Sheet, editor: SchemeEditor) {
  const queries = useQueryClient();
  const { sheet_id } = sheet;
  const [typed, setTyped] = useDraftTexts(`sheet-grading-reason/${sheet_id}`);
  const { scheme, result, moved } = editor;
  const reason = typed?.reason ?? sheet.boundaries_reason ?? '';
  const needsReason = moved.length > 0 && (result?.warnings.length ?? 0) > 0;

  const put = async (boundaries: readonly number[], etag: string | undefined) => {
    const body = {
      method: scheme.method,
      params: scheme.params,
      step: scheme.step,
      boundaries,
      reason: needsReason ? reason.trim() : null,
    };
    const { body: saved, version } = await callWithVersion('PUT /api/sheets/:sheet_id/boundaries', {
      params: { sheet_id },
      body,
      ifMatch: etag,
    });
    setSheet(queries, saved.sheet, version);
    editor.discard();
    setTyped(undefined);
    return saved;
  };

  /** Marks that others type change the version too. Only other boundaries are a conflict. */
  const putAgain = async (boundaries: readonly number[]) => {
    const loaded = await queries.fetchQuery(sheetQuery(sheet_id));
    const { stored, rules } = editor;
    const now = sheetScheme(loaded.sheet, toSheetRows(loaded.sheet), rules);
    return isOvertaken(stored, loaded.sheet, now) ? undefined : put(boundaries, loaded.etag);
  };

  const { start, reset, isRunning, errors, problem } = useTask({
    run: async (boundaries: readonly number[]) => {
      const loaded = queries.getQueryData(sheetQuery(sheet_id).queryKey);
      try {
        return await put(boundaries, loaded?.etag);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error;
        return putAgain(boundaries);
      }
    },
    failure: 'The boundaries could not be stored. Try again.',
    fields: ['reason'],
    rewrite: keepErrorText,
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.errors.reason !== undefined) document.getElementById(fieldId(REASON_FIELD))?.focus();
      if (error.status === 409) await invalidateSheet(queries, sheet_id);
    },
  });
  const run = () => {
    if (scheme.boundaries !== null) start(scheme.boundaries);
  };

  return {
    run,
    isRunning,
    reason,
    setReason: (text: string) => setTyped({ reason: text }),
    reasonError: errors.reason,
    needsReason,
    isConflict: editor.isOvertaken,
    problem: editor.isOvertaken ? OVERTAKEN : problem,
    /** Goes back to what is stored. */
    takeStored: () => {
      editor.discard();
      setTyped(undefined);
      reset();
    },
    /** Takes the stored boundaries as the new base, then stores these over them. */
    storeAnyway: () => {
      editor.rebase();
      run();
    },
    canStore:
      scheme.boundaries !== null && !editor.isOvertaken && (editor.isChanged || !sheet.boundaries_stored),
    stateText: editor.isChanged
      ? 'Not saved'
      : sheet.boundaries_stored
        ? 'Saved'
        : 'Policy boundaries, not saved',
  };
}
