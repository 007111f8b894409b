import { useSyncExternalStore } from 'react';
import type { ExportProgress } from '../../../../contract/students/export.ts';
import { calendarDate } from '../../../../domain/age.ts';
import { refusalText } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { createNotifier } from '../../../lib/notifier.ts';
import { CONNECTION_LOST, pickSaveTarget, type SaveTarget } from '../../../ui/save-file.ts';
import { type ExportRequest, requestExport } from './export-request.ts';

/** The running export, or the last one. It is independent of pages, so that the user can continue working. */
export interface ExportJob extends Omit<ExportProgress, 'bytes'> {
  state: 'running' | 'done' | 'failed';
  fileName: string;
  /** Why it failed. */
  problem?: string;
  request: ExportRequest;
}

const PROGRESS_INTERVAL_MS = 500;

let current: ExportJob | null = null;
let controller: AbortController | undefined;
const notifier = createNotifier();

function show(job: ExportJob | null): void {
  current = job;
  notifier.notify();
}

export function useExportJob(): ExportJob | null {
  return useSyncExternalStore(notifier.subscribe, () => current);
}

/** Starts an export unless one is running. `total` is the count of the list, shown until the server sends its own. */
export async function startExport(
  request: ExportRequest,
  { total, total_is }: Pick<ExportProgress, 'total' | 'total_is'>,
): Promise<void> {
  if (current?.state === 'running') return;
  const fileName = `students-${calendarDate(new Date())}.${request.format}`;
  const target = await pickSaveTarget(fileName);
  if (target === undefined) return;
  show({ state: 'running', fileName, request, rows: 0, total, total_is });
  const own = new AbortController();
  controller = own;
  window.addEventListener('beforeunload', askBeforeLeaving);
  try {
    await run(request, target, own.signal);
    update({ state: 'done' });
  } catch (error) {
    if (!own.signal.aborted) update({ state: 'failed', problem: refusalText(error, CONNECTION_LOST) });
  } finally {
    window.removeEventListener('beforeunload', askBeforeLeaving);
    own.abort();
  }
}

/** Cancels a running export, dismisses a finished one. */
export function closeExport(): void {
  show(null);
  controller?.abort();
}

async function run(request: ExportRequest, target: SaveTarget, signal: AbortSignal): Promise<void> {
  let exportId: string | null = null;
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const open = async () => {
    const { headers, body } = await requestExport(request, signal);
    exportId = headers.get('X-Export-Id');
    return new Response(body?.pipeThrough(counter));
  };
  const updateProgress = async () => {
    if (exportId === null) return;
    await call('GET /api/exports/:id/progress', { params: { id: exportId }, signal }).then(
      // The server counts the rows it has written; of those, the share of the received bytes has arrived.
      ({ rows, bytes, ...rest }) =>
        update({ ...rest, rows: bytes === 0 ? 0 : Math.floor(rows * Math.min(1, received / bytes)) }),
      // The file is complete without the progress.
      () => {},
    );
  };
  const timer = setInterval(() => void updateProgress(), PROGRESS_INTERVAL_MS);
  try {
    await target.write(open, signal);
  } finally {
    clearInterval(timer);
  }
  await updateProgress();
}

function update(change: Partial<ExportJob>): void {
  if (current?.state === 'running') show({ ...current, ...change });
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
