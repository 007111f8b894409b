import { useSyncExternalStore } from 'react';
import type { ExportProgress } from '../../contract/export.ts';
import { calendarDate } from '../../domain/age.ts';
import { ApiError, call } from '../api.ts';
import { chooseFile, type ExportFile } from './export-file.ts';
import { type ExportRequest, openExport } from './export-request.ts';

/** The export in hand, or the last one. It belongs to no page: the person can go on working. */
export interface ExportJob extends Omit<ExportProgress, 'bytes'> {
  state: 'running' | 'done' | 'failed';
  fileName: string;
  /** Why it failed. */
  problem?: string;
  request: ExportRequest;
}

const ASK_AGAIN = 500;
const BROKEN_OFF = 'The connection broke off before the file was complete. Nothing was saved.';

let current: ExportJob | null = null;
let controller: AbortController | undefined;
const listeners = new Set<() => void>();

function show(job: ExportJob | null): void {
  current = job;
  for (const listener of listeners) listener();
}

export function useExportJob(): ExportJob | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** `total` is what the list speaks of, until the server says it. */
export async function startExport(
  request: ExportRequest,
  { total, total_is }: Pick<ExportProgress, 'total' | 'total_is'>,
): Promise<void> {
  if (current?.state === 'running') return;
  const fileName = `students-${calendarDate(new Date())}.${request.format}`;
  const file = await chooseFile(fileName);
  if (file === undefined) return;
  show({ state: 'running', fileName, request, rows: 0, total, total_is });
  const own = new AbortController();
  controller = own;
  window.addEventListener('beforeunload', askBeforeLeaving);
  try {
    await run(request, file, own.signal);
    update({ state: 'done' });
  } catch (error) {
    if (!own.signal.aborted) update({ state: 'failed', problem: problemOf(error) });
  } finally {
    window.removeEventListener('beforeunload', askBeforeLeaving);
    own.abort();
  }
}

/** Stops the export that runs, or puts away what is told of one that is over. */
export function endExport(): void {
  show(null);
  controller?.abort();
}

async function run(request: ExportRequest, file: ExportFile, signal: AbortSignal): Promise<void> {
  const response = await openExport(request, signal);
  if (response.body === null) throw new ApiError(response.status, BROKEN_OFF);
  let received = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        received += piece.length;
        out.enqueue(piece);
      },
    }),
  );
  const progressUrl = `/api/exports/${response.headers.get('X-Export-Id')}/progress`;
  const askHowFar = () =>
    call<ExportProgress>('GET', progressUrl, { signal }).then(
      // Much of what has been written may still be on its way.
      ({ rows, bytes, ...rest }) =>
        update({ ...rest, rows: bytes === 0 ? 0 : Math.floor(rows * Math.min(1, received / bytes)) }),
      // Only the figure is missing then; the file comes all the same.
      () => {},
    );
  const asking = setInterval(() => void askHowFar(), ASK_AGAIN);
  try {
    await file.write(body, signal);
  } finally {
    clearInterval(asking);
  }
  await askHowFar();
}

function update(change: Partial<ExportJob>): void {
  if (current?.state === 'running') show({ ...current, ...change });
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return BROKEN_OFF;
  return Object.values(error.errors)[0]?.[0] ?? error.message;
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
