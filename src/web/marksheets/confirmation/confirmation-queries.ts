import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ConfirmPreview, Difference, Notifications } from '../../../contract/marksheets/confirmation.ts';
import type { SheetChecks } from '../../../contract/marksheets/grading.ts';
import type { SheetSaved } from '../../../contract/marksheets/sheets.ts';
import { call, callWithVersion } from '../../lib/api.ts';
import { setSheet, sheetPath } from '../sheet-queries.ts';

/* Marks, boundaries and records may change at any time: each is read again when it is shown, and for each version. */

/** What keeps a sheet from being submitted, and what needs a reason. */
export const checksQuery = (sheetId: number, version: number) =>
  queryOptions({
    queryKey: ['sheets', 'checks', sheetId, version],
    queryFn: ({ signal }) => call<SheetChecks>('GET', `${sheetPath(sheetId)}/checks`, { signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });

/** What confirming a sheet would write. */
export const confirmPreviewQuery = (sheetId: number) =>
  queryOptions({
    queryKey: ['sheets', 'confirm', sheetId],
    queryFn: ({ signal }) => call<ConfirmPreview>('GET', `${sheetPath(sheetId)}/confirm`, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Which rows that the confirmation left can be recorded by now. */
export const remainingQuery = (sheetId: number) =>
  queryOptions({
    queryKey: ['sheets', 'remaining', sheetId],
    queryFn: ({ signal }) => call<ConfirmPreview>('GET', `${sheetPath(sheetId)}/remaining`, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** What a rectification changes. */
export const differenceQuery = (sheetId: number, version: number) =>
  queryOptions({
    queryKey: ['sheets', 'difference', sheetId, version],
    queryFn: ({ signal }) => call<Difference>('GET', `${sheetPath(sheetId)}/difference`, { signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });

/** Result notifications, the newest first. */
export const notificationsQuery = queryOptions({
  queryKey: ['result-notifications'],
  queryFn: ({ signal }) => call<Notifications>('GET', '/api/result-notifications', { signal }),
  staleTime: 0,
});

/** Posts a step in the life of a sheet, and shows the sheet as it is after it. */
export async function postStep(
  queries: QueryClient,
  sheetId: number,
  step: 'submit' | 'take-back' | 'confirm' | 'remaining',
  body: unknown,
): Promise<string> {
  const { body: saved, version } = await callWithVersion<SheetSaved>(
    'POST',
    `${sheetPath(sheetId)}/${step}`,
    {
      body,
    },
  );
  setSheet(queries, saved.sheet, version);
  return saved.message;
}

/** After a sheet was confirmed or a class notified, any record and course may have changed. */
export function resetRecords(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive' });
  void queries.invalidateQueries();
}
