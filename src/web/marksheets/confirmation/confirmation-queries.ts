import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { call } from '../../lib/call.ts';
import { setSheet } from '../sheet-queries.ts';

/* Marks, boundaries and records may change at any time: each is read again when it is shown, and for each version. */

/** The checks of a sheet: those that refuse its submission, and those that need a reason. */
export const checksQuery = (sheetId: number, version: number) =>
  queryOptions({
    queryKey: ['sheets', 'checks', sheetId, version],
    queryFn: ({ signal }) =>
      call('GET /api/sheets/:sheet_id/checks', { params: { sheet_id: sheetId }, signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });

/** The preview of confirming a sheet. */
export const confirmPreviewQuery = (sheetId: number) =>
  queryOptions({
    queryKey: ['sheets', 'confirm', sheetId],
    queryFn: ({ signal }) =>
      call('GET /api/sheets/:sheet_id/confirm', { params: { sheet_id: sheetId }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Which rows that the confirmation left can be recorded by now. */
export const remainingQuery = (sheetId: number) =>
  queryOptions({
    queryKey: ['sheets', 'remaining', sheetId],
    queryFn: ({ signal }) =>
      call('GET /api/sheets/:sheet_id/remaining', { params: { sheet_id: sheetId }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** The changes of a rectification. */
export const differenceQuery = (sheetId: number, version: number) =>
  queryOptions({
    queryKey: ['sheets', 'difference', sheetId, version],
    queryFn: ({ signal }) =>
      call('GET /api/sheets/:sheet_id/difference', { params: { sheet_id: sheetId }, signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });

/** Result notifications, the newest first. */
export const notificationsQuery = queryOptions({
  queryKey: ['result-notifications'],
  queryFn: ({ signal }) => call('GET /api/result-notifications', { signal }),
  staleTime: 0,
});

/** Shows a sheet as it is after a step in its life. */
export async function showStep(
  queries: QueryClient,
  step: Promise<{ body: { message: string; sheet: Sheet }; version: string | undefined }>,
): Promise<{ message: string }> {
  const { body, version } = await step;
  setSheet(queries, body.sheet, version);
  return body;
}

/** After a sheet was confirmed or a class notified, any record and course may have changed. */
export function resetRecords(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive' });
  void queries.invalidateQueries();
}
