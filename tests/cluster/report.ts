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
  'doubled',
];

/** Seconds that nobody may be kept from saving: far above what is measured, for machines that are busy. */
const LONGEST_OUTAGE = 30;

/** A line for each scenario, and what must not be. */
export class Report {
  readonly #rows: string[][] = [];
  readonly failures: string[] = [];

  add(scenario: string, period: Period, { lost, doubled }: Difference): void {
    this.#rows.push([
      scenario,
      period.outage.toFixed(1),
      period.longestSave.toFixed(1),
      `${period.refused}`,
      `${period.unanswered}`,
      period.slowest.toFixed(1),
      `${period.saved.length}`,
      `${lost.length}`,
      `${doubled.length}`,
    ]);
    const found = [
      ...lost.map((what) => `lost: ${what}`),
      ...doubled.map((what) => `doubled: ${what}`),
      ...period.strange,
      ...(period.outage > LONGEST_OUTAGE ? [`an outage of more than ${LONGEST_OUTAGE} s`] : []),
    ];
    this.failures.push(...found.map((what) => `${scenario}: ${what}`));
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
