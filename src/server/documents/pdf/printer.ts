import type { Worker } from 'node:worker_threads';
import type { OwnCopy } from '../../../contract/documents/own-copy.ts';
import { iterateInWorker, runInWorker, startWorker } from '../../run-in-worker.ts';
import type { AwardList } from './landscape/award-list-pdf.ts';
import type { ResultSheet } from './landscape/result-sheet-pdf.ts';
import type { PrintJob } from './print-job.ts';
import type { RenderedDocument } from './render.ts';

const WORKER = 'documents/pdf/pdf-worker';
/** Several times what is needed; with more, garbage is kept for longer. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** Cells of a list from which a worker of its own prints it: about a second, for which single documents would wait. */
const LONG_LIST_CELLS = 5_000;
/** Milliseconds in which a list is printed, or the next part of a file. */
const TIME_LIMIT_MS = 60_000;
/** After this time without work the worker ends, and its memory is free. */
const IDLE_MS = 30_000;

interface Waiting {
  resolve(document: RenderedDocument): void;
  reject(error: Error): void;
}

/** Jobs of the worker beside documents and files of many. */
type Single = { job: PrintJob } | { ownCopy: OwnCopy } | List;
type List = { resultSheet: ResultSheet } | { awardList: AwardList };

/**
 * Makes the PDFs in worker threads, so that other calls are not delayed. Single documents share one worker, which keeps the fonts in
 * memory until it has had nothing to do for a while; long lists and files of many have their own.
 */
export class Printer {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #numbers = 0;
  readonly #waiting = new Map<number, Waiting>();

  print(job: PrintJob): Promise<RenderedDocument> {
    return this.#ask({ job });
  }

  /** @param signal ends it, if it is long */
  printResultSheet(resultSheet: ResultSheet, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#printList({ resultSheet }, resultSheet.students.length * resultSheet.courses.length, signal);
  }

  /** @param signal as for result sheets */
  printAwardList(awardList: AwardList, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#printList({ awardList }, awardList.students.length * awardList.components.length, signal);
  }

  async #printList(list: List, cells: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (cells < LONG_LIST_CELLS) return (await this.#ask(list)).pdf;
    const limits = { resourceLimits: LIMITS, timeLimit: TIME_LIMIT_MS, signal };
    return (await runInWorker<RenderedDocument>(WORKER, { number: 0, ...list }, limits)).pdf;
  }

  async printOwnCopy(ownCopy: OwnCopy): Promise<Uint8Array> {
    return (await this.#ask({ ownCopy })).pdf;
  }

  #ask(what: Single): Promise<RenderedDocument> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#numbers += 1;
    const number = this.#numbers;
    const printed = new Promise<RenderedDocument>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
    });
    this.#worker.ref();
    this.#worker.postMessage({ number, ...what });
    return printed;
  }

  /** Many documents as one file, in pieces. Its own worker takes the place of the idle one, whose memory it needs. */
  async *printBatch(jobs: readonly PrintJob[]): AsyncGenerator<Uint8Array> {
    if (this.#worker !== undefined) await this.#end(this.#worker);
    const limits = { resourceLimits: LIMITS, timeLimit: TIME_LIMIT_MS };
    for await (const { piece } of iterateInWorker<{ piece: Uint8Array | null }>(WORKER, { jobs }, limits)) {
      if (piece === null) return;
      yield piece;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startWorker(WORKER, LIMITS);
    worker.on('message', ({ number, ...document }: { number: number } & RenderedDocument) => {
      this.#waiting.get(number)?.resolve(document);
      this.#waiting.delete(number);
      if (this.#waiting.size > 0) return;
      worker.unref();
      this.#idle = setTimeout(() => void this.#end(worker), IDLE_MS).unref();
    });
    const fail = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('The worker that prints documents has ended.')));
    return worker;
  }

  async #end(worker: Worker): Promise<void> {
    if (this.#waiting.size > 0) return;
    if (this.#worker === worker) this.#worker = undefined;
    await worker.terminate();
  }
}
