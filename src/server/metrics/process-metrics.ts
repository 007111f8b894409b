import { type IntervalHistogram, performance } from 'node:perf_hooks';
import { type Metric, single } from './exposition.ts';

/** Milliseconds between two looks at the event loop. */
export const LOOP_RESOLUTION = 10;

/** What the process takes, under the names that common dashboards look for. */
export function processMetrics(): Metric[] {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    single(
      'gauge',
      'process_start_time_seconds',
      'When the process started, since 1970.',
      performance.timeOrigin / 1e3,
    ),
    single('counter', 'process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
    single('gauge', 'process_resident_memory_bytes', 'Memory that the process holds.', rss),
    single('gauge', 'nodejs_heap_size_total_bytes', 'Memory set aside for objects.', heapTotal),
    single('gauge', 'nodejs_heap_size_used_bytes', 'Memory that objects take.', heapUsed),
    single('gauge', 'nodejs_external_memory_bytes', 'Memory of buffers outside of the heap.', external),
  ];
}

/** How late the event loop was since it was last asked: what one piece of work made all other requests wait. */
export function eventLoopMetrics(delay: IntervalHistogram): Metric[] {
  // Each look is due after the resolution; only what goes beyond it is a delay. Nothing is measured before the first.
  const seconds = (ns: number) => Math.max(0, ns / 1e9 - LOOP_RESOLUTION / 1e3);
  const figures = [
    ['p50', delay.percentile(50)],
    ['p99', delay.percentile(99)],
    ['max', delay.count === 0 ? 0 : delay.max],
  ] as const;
  delay.reset();
  return figures.map(([figure, ns]) =>
    single(
      'gauge',
      `nodejs_eventloop_lag_${figure}_seconds`,
      `Lateness of the event loop since the last collection: ${figure}.`,
      seconds(ns),
    ),
  );
}
