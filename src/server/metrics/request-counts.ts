import type { Metric } from './exposition.ts';

/** Upper bounds of the durations that are told apart, in seconds: from a single row to a long upload. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Counted {
  labels: { method: string; route: string };
  /** Answers by how long they took: the place is that of their bound, the last one is beyond all. */
  took: number[];
  seconds: number;
  statuses: Map<number, number>;
}

/**
 * Counts answered requests. Durations are kept by route, not by status too: every pair of labels costs the collector
 * a series for each bound.
 */
export class RequestCounts {
  readonly #counted = new Map<string, Counted>();

  /** Adds an answer to `method` on `route`, a pattern: whoever calls sees to it that there are few. */
  add(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route}`;
    const counted = this.#counted.get(key) ?? {
      labels: { method, route },
      took: Array.from({ length: BOUNDS.length + 1 }, () => 0),
      seconds: 0,
      statuses: new Map(),
    };
    const bound = BOUNDS.findIndex((most) => seconds <= most);
    const place = bound === -1 ? BOUNDS.length : bound;
    counted.took[place] = (counted.took[place] ?? 0) + 1;
    counted.seconds += seconds;
    counted.statuses.set(status, (counted.statuses.get(status) ?? 0) + 1);
    this.#counted.set(key, counted);
  }

  /** How many answers there were of one kind. */
  of(method: string, route: string, status: number): number {
    return this.#counted.get(`${method} ${route}`)?.statuses.get(status) ?? 0;
  }

  metrics(): Metric[] {
    const all = [...this.#counted.values()];
    return [
      {
        name: 'sims_http_requests_total',
        help: 'Answered requests.',
        type: 'counter',
        samples: all.flatMap(({ labels, statuses }) =>
          [...statuses].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value })),
        ),
      },
      {
        name: 'sims_http_request_duration_seconds',
        help: 'Time from the arrival of a request to the end of its answer.',
        type: 'histogram',
        samples: all.flatMap(histogramOf),
      },
    ];
  }
}

function histogramOf({ labels, took, seconds }: Counted): Metric['samples'] {
  let upTo = 0;
  const buckets = took.map((answers, place) => {
    upTo += answers;
    const le = String(BOUNDS[place] ?? '+Inf');
    return { suffix: '_bucket' as const, labels: { ...labels, le }, value: upTo };
  });
  return [...buckets, { suffix: '_sum', labels, value: seconds }, { suffix: '_count', labels, value: upTo }];
}
