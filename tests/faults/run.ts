import process from 'node:process';
import { backedUp } from './scenarios/database/backed-up.ts';
import { diskFails, diskFull } from './scenarios/database/disk.ts';
import { locked } from './scenarios/database/locked.ts';
import { refusedStarts } from './scenarios/database/refused-starts.ts';
import { savedTogether } from './scenarios/database/saved-together.ts';
import { synced } from './scenarios/database/synced.ts';
import { commitKilled } from './scenarios/kills/commit-killed.ts';
import { documentsKilled } from './scenarios/kills/documents-killed.ts';
import { importKilled } from './scenarios/kills/import-killed.ts';
import { killed } from './scenarios/kills/killed.ts';
import { linkKilled } from './scenarios/kills/link-killed.ts';
import { logCut } from './scenarios/kills/log-cut.ts';
import { marksKilled } from './scenarios/kills/marks-killed.ts';
import { migrationKilled } from './scenarios/kills/migration-killed.ts';
import { policyKilled } from './scenarios/kills/policy-killed.ts';
import { postgresKilled } from './scenarios/kills/postgres-killed.ts';
import { schemeKilled } from './scenarios/kills/scheme-killed.ts';
import { sheetKilled } from './scenarios/kills/sheet-killed.ts';
import { clockJumps } from './scenarios/server/clock.ts';
import { handlerFails, retried } from './scenarios/server/retried.ts';
import { slowClients } from './scenarios/server/slow-clients.ts';
import { stopped } from './scenarios/server/stopped.ts';
import { Findings, type Scenario } from './support/scenario.ts';

const SCENARIOS: readonly Scenario[] = [
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
  schemeKilled,
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

/** Runs all scenarios or the named ones in sequence. Exits with 1 if a finding failed. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no ${unknown.join(', ')}. There are: ${SCENARIOS.map(({ name }) => name).join(', ')}.`,
    );
  }
  const chosen = names.length === 0 ? SCENARIOS : SCENARIOS.filter(({ name }) => names.includes(name));
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
      findings.failed.length > 0 ? 'FAILED ' : findings.skipped === undefined ? 'passed ' : 'skipped';
    if (findings.failed.length > 0) process.exitCode = 1;
    lines.push(
      `${outcome} ${name.padEnd(18)} ${seconds.padStart(4)} s  ${findings.skipped ?? findings.figures.join('; ')}`,
    );
  }
  console.log(`\n${lines.join('\n')}`);
}

await main(process.argv.slice(2));
