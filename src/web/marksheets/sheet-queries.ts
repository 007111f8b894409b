import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Sheet, SheetListQuery, SheetRowReply } from '../../contract/marksheets/sheets.ts';
import { call, callWithVersion } from '../lib/call.ts';

/** Mark sheets, the newest first. */
export const sheetsQuery = (filter: SheetListQuery) =>
  queryOptions({
    queryKey: ['sheets', 'list', filter],
    queryFn: ({ signal }) => call('GET /api/sheets', { query: filter, signal }),
    staleTime: 0,
  });

/** A sheet with what is needed to keep it up to date. */
export interface LoadedSheet {
  sheet: Sheet;
  /** The ETag of the latest complete read. */
  etag: string | undefined;
  /** The version of the latest complete read. */
  readVersion: number;
  /** The version of the sheet at which each row that has changed since was read. */
  rowVersions: ReadonlyMap<string, number>;
}

export async function readSheet(sheetId: number, signal?: AbortSignal): Promise<LoadedSheet> {
  const params = { sheet_id: sheetId };
  const { body, version } = await callWithVersion('GET /api/sheets/:sheet_id', { params, signal });
  return { sheet: body.sheet, etag: version, readVersion: body.sheet.version, rowVersions: new Map() };
}

/** A sheet. Changes of others come through its events, see `events/use-sheet-events.ts`. */
export const sheetQuery = (sheetId: number) =>
  queryOptions({
    queryKey: ['sheets', 'one', sheetId],
    queryFn: ({ signal }) => readSheet(sheetId, signal),
    staleTime: 0,
  });

/** Shows a sheet as a change of it answers. */
export function setSheet(queries: QueryClient, sheet: Sheet, etag: string | undefined): void {
  queries.removeQueries({ queryKey: ['sheets', 'list'], type: 'inactive' });
  queries.setQueryData<LoadedSheet>(sheetQuery(sheet.sheet_id).queryKey, {
    sheet,
    etag,
    readVersion: sheet.version,
    rowVersions: new Map(),
  });
}

/** A sheet for the form of its set-up. Never cached: a form must start from the stored values. */
export const editSheetQuery = (sheetId: number) =>
  queryOptions({ ...sheetQuery(sheetId), queryKey: ['sheets', 'to-edit', sheetId], gcTime: 0 });

/** Reads a sheet again, and the lists when they are shown next: after its set-up, students, boundaries or state changed. */
export async function invalidateSheet(queries: QueryClient, sheetId: number): Promise<void> {
  queries.removeQueries({ queryKey: ['sheets', 'list'], type: 'inactive' });
  await queries.invalidateQueries({ queryKey: ['sheets', 'one', sheetId] });
}

/**
 * Puts rows into the cached sheet.
 *
 * @param version of the sheet when they were read; older ones than the cached are left out
 */
export function mergeRows(
  queries: QueryClient,
  sheetId: number,
  { version, rows }: { version: number; rows: readonly SheetRowReply[] },
): void {
  queries.setQueryData<LoadedSheet>(sheetQuery(sheetId).queryKey, (loaded) => {
    if (loaded === undefined) return undefined;
    const { sheet, readVersion } = loaded;
    const rowVersions = new Map(loaded.rowVersions);
    const changed = new Map<string, SheetRowReply>();
    for (const row of rows) {
      // What is as old as the complete read may have been sent before it.
      if (version < (rowVersions.get(row.student_id) ?? readVersion)) continue;
      rowVersions.set(row.student_id, version);
      changed.set(row.student_id, row);
    }
    if (changed.size === 0) return loaded;
    return {
      ...loaded,
      rowVersions,
      sheet: {
        ...sheet,
        version: Math.max(sheet.version, version),
        rows: sheet.rows.map((row) => changed.get(row.student_id) ?? row),
      },
    };
  });
}
