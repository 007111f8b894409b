import { randomUUID } from 'node:crypto';
import type { ExportProgress } from '../../../contract/export.ts';
import { AppError } from '../../errors.ts';

/** An export that somebody is fetching. */
export interface RunningExport extends ExportProgress {
  readonly id: string;
  readonly userId: number;
  isOver: boolean;
}

/** Each costs a good part of a processor while it runs. */
const AT_ONCE = 3;
/** Milliseconds for which one that is over can still be asked about: its last rows may be on their way. */
const REMEMBERED = 60_000;

/** The exports of this process, for those who fetch them to see how far they have come. */
export class RunningExports {
  readonly #exports = new Map<string, RunningExport>();

  /** @throws a refusal when the person has too many of them already */
  begin(userId: number): RunningExport {
    const own = [...this.#exports.values()].filter((one) => one.userId === userId && !one.isOver);
    if (own.length >= AT_ONCE) {
      throw new AppError(
        'too-many-attempts',
        'Three exports of yours are running. Wait until one has ended.',
        {
          retryAfter: 10,
        },
      );
    }
    const one = {
      id: randomUUID(),
      userId,
      rows: 0,
      bytes: 0,
      total: 0,
      total_is: 'exact',
      isOver: false,
    } as const;
    const begun: RunningExport = { ...one };
    this.#exports.set(begun.id, begun);
    return begun;
  }

  end(one: RunningExport): void {
    one.isOver = true;
    setTimeout(() => this.#exports.delete(one.id), REMEMBERED).unref();
  }

  /** One of the person's own. */
  find(id: string, userId: number): RunningExport | undefined {
    const one = this.#exports.get(id);
    return one?.userId === userId ? one : undefined;
  }
}
