import process from 'node:process';
import { backedUp } from './rows/backed-up.ts';
import { clockJumps } from './rows/clock.ts';
import { commitKilled } from './rows/commit-killed.ts';
import { diskFails, diskFull } from './rows/disk.ts';
import { documentsKilled } from './rows/documents-killed.ts';
import { importKilled } from './rows/import-killed.ts';
import { killed } from './rows/killed.ts';
import { linkKilled } from './rows/link-killed.ts';
import { locked } from './rows/locked.ts';
import { logCut } from './rows/log-cut.ts';
import { marksKilled } from './rows/marks-killed.ts';
import { migrationKilled } from './rows/migration-killed.ts';
import { policyKilled } from './rows/policy-killed.ts';
import { postgresKilled } from './rows/postgres-killed.ts';
import { refusedStarts } from './rows/refused-starts.ts';
import { handlerFails, retried } from './rows/retried.ts';
import { savedTogether } from './rows/saved-together.ts';
import { sheetKilled } from './rows/sheet-killed.ts';
import { slowClients } from './rows/slow-clients.ts';
import { stopped } from './rows/stopped.ts';
import { synced } from './rows/synced.ts';
import { Findings, type Row } from './support/row.ts';

const ROWS: readonly Row[] = [
  killed,
  logCut,
  synced,
  savedTogether,
  commitKilled,
  diskFull,
  diskFails,
  locked,
  refusedStarts,
  migrationKilled,
  marksKilled,
  policyKilled,
  importKilled,
  sheetKilled,
  documentsKilled,
  retried,
  handlerFails,
  stopped,
  slowClients,
  clockJumps,
  backedUp,
  postgresKilled,
  linkKilled,
];

/** Runs all rows or the named ones in sequence. Exits with 1 if a finding failed. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !ROWS.some((row) => row.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no ${unknown.join(', ')}. There are: ${ROWS.map(({ name }) => name).join(', ')}.`,
    );
  }
  const chosen = names.length === 0 ? ROWS : ROWS.filter(({ name }) => names.includes(name));
  const lines: string[] = [];
  for (const { name, fault, run } of chosen) {
    console.log(`\n== ${name}: ${fault}`);
    const findings = new Findings();
    const begin = performance.now();
    try {
      await run(findings);
    } catch (error) {
      findings.must(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
    const outcome =
      findings.broken.length > 0 ? 'BROKEN ' : findings.skipped === undefined ? 'kept   ' : 'skipped';
    if (findings.broken.length > 0) process.exitCode = 1;
    lines.push(
      `${outcome} ${name.padEnd(18)} ${seconds.padStart(4)} s  ${findings.skipped ?? findings.figures.join('; ')}`,
    );
  }
  console.log(`\n${lines.join('\n')}`);
}

await main(process.argv.slice(2));
