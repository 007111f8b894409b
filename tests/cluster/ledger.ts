/** A change that a writer repeated until it was known to be stored. Its mark is unique to this change. */
export interface Entry {
  kind: 'create' | 'edit' | 'marks';
  /** The student's or the course's id. */
  id: string;
  mark: string;
  /** Whether a response acknowledged it. Otherwise a repeated attempt found it stored. */
  isAcknowledged: boolean;
}

/** One change, from its first request to its acknowledgement. */
interface Saved {
  /** Milliseconds of `performance.now()`. */
  began: number;
  ended: number;
}

/** What the writers saw during a scenario. */
export class Period {
  readonly #began = performance.now();
  #ended: number | undefined;
  readonly saved: Saved[] = [];
  /** Responses with status 503. */
  refused = 0;
  /** Requests without a response: the connection ended, or ten seconds passed. */
  unanswered = 0;
  /** Duration of the slowest request, in seconds, with or without a response. */
  slowest = 0;
  /** Responses that no client should ever get. */
  readonly unexpected: string[] = [];

  end(): void {
    this.#ended = performance.now();
  }

  /** The longest time without an acknowledged write, in seconds. */
  get outage(): number {
    const times = [this.#began, ...this.saved.map(({ ended }) => ended), this.#ended ?? performance.now()];
    return Math.max(...times.map((time, i) => time - (times[i - 1] ?? time))) / 1_000;
  }

  /** The longest time from the first request for a change to its acknowledgement, in seconds. */
  get longestSave(): number {
    return Math.max(0, ...this.saved.map(({ began, ended }) => ended - began)) / 1_000;
  }
}

/** All acknowledged writes of the run. */
export class Ledger {
  readonly entries: Entry[] = [];
  period = new Period();

  begin(): Period {
    this.period = new Period();
    return this.period;
  }
}
