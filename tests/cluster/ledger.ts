/** A change that a writer asked for until it knew that it was made. Its mark is found nowhere but in this change. */
export interface Entry {
  kind: 'create' | 'edit' | 'marks';
  /** The student's or the course's id. */
  id: string;
  mark: string;
  /** The answer said so. Otherwise the change was found made when it was tried again. */
  isAcknowledged: boolean;
}

/** One change, from the first request for it to the answer that ended it. */
interface Saved {
  /** Milliseconds of the process's clock. */
  began: number;
  ended: number;
}

/** What happened while a scenario went on. */
export class Period {
  readonly #began = performance.now();
  #ended: number | undefined;
  readonly saved: Saved[] = [];
  refused = 0;
  /** Requests that got no answer: the connection ended, or ten seconds passed. */
  unanswered = 0;
  /** The longest that a request waited for its answer, or for its end. */
  slowest = 0;
  /** What no client should ever see. */
  readonly strange: string[] = [];

  end(): void {
    this.#ended = performance.now();
  }

  /** Seconds in which nobody got a change acknowledged, at most. */
  get outage(): number {
    const times = [this.#began, ...this.saved.map(({ ended }) => ended), this.#ended ?? performance.now()];
    return Math.max(...times.map((time, i) => time - (times[i - 1] ?? time))) / 1_000;
  }

  /** Seconds from asking for a change to its acknowledgement, however often it had to be asked for. */
  get longestSave(): number {
    return Math.max(0, ...this.saved.map(({ began, ended }) => ended - began)) / 1_000;
  }
}

/** Everything that writers were told is saved, over the whole run. */
export class Ledger {
  readonly entries: Entry[] = [];
  period = new Period();

  begin(): Period {
    this.period = new Period();
    return this.period;
  }
}
