import type { Difference } from './compare.ts';
import type { Period } from './ledger.ts';

const COLUMNS = [
  'outage s',
  'longest save s',
  'refused',
  'unanswered',
  'slowest s',
  'saved',
  'lost',
  'duplicated',
];

/** Longest allowed time without an acknowledged write. Far above the measured times, to allow for busy machines. */
const MAX_OUTAGE_S = 30;

/** A table with a row for each scenario, and the failures. */
export class Report {
  readonly #rows: string[][] = [];
  readonly failures: string[] = [];

  add(scenario: string, period: Period, { lost, duplicated }: Difference): void {
    this.#rows.push([
      scenario,
      period.outage.toFixed(1),
      period.longestSave.toFixed(1),
      `${period.refused}`,
      `${period.unanswered}`,
      period.slowest.toFixed(1),
      `${period.saved.length}`,
      `${lost.length}`,
      `${duplicated.length}`,
    ]);
    const failures = [
      ...lost.map((what) => `lost: ${what}`),
      ...duplicated.map((what) => `duplicated: ${what}`),
      ...period.unexpected,
      ...(period.outage > MAX_OUTAGE_S ? [`an outage of more than ${MAX_OUTAGE_S} s`] : []),
    ];
    this.failures.push(...failures.map((what) => `${scenario}: ${what}`));
  }

  toString(): string {
    const rows = [['scenario', ...COLUMNS], ...this.#rows];
    const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
    return rows
      .map((row) =>
        row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))),
      )
      .map((cells) => cells.join('  '))
      .join('\n');
  }
}
