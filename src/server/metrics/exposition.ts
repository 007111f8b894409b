/** One measured quantity with its values, as Prometheus knows it. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

interface Sample {
  value: number;
  labels?: Readonly<Record<string, string>>;
  /** The parts of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
}

/** The text format of Prometheus, which other collectors read as well. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes metrics in the text format. One without samples is left out. */
export function exposition(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${inBraces(labels)} ${written(value)}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function inBraces(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}

const written = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value));

const escaped = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** A metric of a single value. */
export const single = (type: 'counter' | 'gauge', name: string, help: string, value: number): Metric => ({
  name,
  help,
  type,
  samples: [{ value }],
});
