import { randomUUID } from 'node:crypto';
import type { ExportProgress } from '../../../contract/export.ts';
import { holdKey } from '../../db/dialect.ts';
import type { Database } from '../../db/open.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { AppError } from '../../errors.ts';
import type { Beside } from '../../http/beside-answers.ts';

/** An export that this process sends. How far it has come is told to the others now and then. */
export interface RunningExport extends ExportProgress {
  readonly id: string;
}

/** Each costs a good part of a processor while it runs. */
const AT_ONCE = 3;
/** Milliseconds between two times of telling how far one has come, and at most where it does not come further. */
const TOLD = { every: 1_000, atLeast: 10_000 } as const;
/** Milliseconds of silence after which the process that sends one is taken to be gone. */
const GONE = 30_000;
/** Milliseconds for which one that is over can still be asked about: its last rows may be on their way. */
const REMEMBERED = 60_000;

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** The exports of all processes, for those who fetch them to see how far they have come, whichever process they ask. */
export class RunningExports {
  readonly #db: Database;
  readonly #beside: Beside;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(db: Database, beside: Beside) {
    this.#db = db;
    this.#beside = beside;
  }

  /** @throws a refusal when the person has too many of them already */
  async begin(userId: number): Promise<RunningExport> {
    const begun: RunningExport = { id: randomUUID(), rows: 0, bytes: 0, total: 0, total_is: 'exact' };
    await transact(this.#db.write, async (tx) => {
      await holdKey(tx, `exports of ${userId}`);
      const { running } = await tx
        .selectFrom('exports')
        .select((eb) => eb.fn.countAll<number>().as('running'))
        .where('user_id', '=', userId)
        .where('is_over', '=', 0)
        .where('seen_at', '>', ago(GONE))
        .executeTakeFirstOrThrow();
      if (running >= AT_ONCE) {
        throw new AppError(
          'too-many-attempts',
          'Three exports of yours are running. Wait until one has ended.',
          { retryAfter: 10 },
        );
      }
      await tx
        .insertInto('exports')
        .values({ ...begun, user_id: userId, is_over: 0, seen_at: ago(0) })
        .execute();
      await tx
        .deleteFrom('exports')
        .where('user_id', '=', userId)
        .where('seen_at', '<', ago(REMEMBERED))
        .execute();
    });
    this.#keepTelling(begun);
    return begun;
  }

  /** Tells the others how far it has come. */
  async tell({ id, rows, bytes, total, total_is }: RunningExport, db: Db = this.#db.write): Promise<void> {
    await db
      .updateTable('exports')
      .set({ rows, bytes, total, total_is, seen_at: ago(0) })
      .where('id', '=', id)
      // One that was told before may arrive after.
      .where('bytes', '<=', bytes)
      .execute();
  }

  /** It is over, whether all of it was sent or not. */
  async end(tx: Tx, { id }: RunningExport): Promise<void> {
    await tx.updateTable('exports').set({ is_over: 1 }).where('id', '=', id).execute();
  }

  /** Nothing more is told of it by itself. */
  fallSilent({ id }: RunningExport): void {
    clearInterval(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** One of the person's own. */
  find(id: string, userId: number): Promise<ExportProgress | undefined> {
    return this.#db.read
      .selectFrom('exports')
      .select(['rows', 'bytes', 'total', 'total_is'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  #keepTelling(one: RunningExport): void {
    let told = { bytes: 0, at: Date.now() };
    const timer = setInterval(() => {
      if (one.bytes === told.bytes && Date.now() - told.at < TOLD.atLeast) return;
      told = { bytes: one.bytes, at: Date.now() };
      this.#beside(this.tell(one), 'progress of an export not told', { exportId: one.id });
    }, TOLD.every);
    this.#timers.set(one.id, timer.unref());
  }
}
