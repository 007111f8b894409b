import { registerUser } from '../support/api.ts';
import { compare, findHistoryFault } from './compare.ts';
import { Installation } from './installation.ts';
import { Ledger } from './ledger.ts';
import { Report } from './report.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { retry, trueOrUndefined, waitFor } from './waiting.ts';
import { Writer } from './writer.ts';

/**
 * Checks that no acknowledged write is lost or duplicated when machines, networks and programs fail under load.
 * scripts/test-cluster.mjs starts this program in its own namespaces, so that no process outlives it.
 */

const WRITERS = 12;
/** Saved changes per writer that count as normal operation. */
const SAVES_PER_WRITER = 3;

const startedAt = performance.now();
const log = (message: string) =>
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${message}`);

const [folder = ''] = process.argv.slice(2);
log('starting three database machines, two applications and a proxy …');
const installation = new Installation(folder);
await installation.setUp();
const { token } = await retry(() => registerUser(installation.url));
const ledger = new Ledger();
const writers = Array.from({ length: WRITERS }, (_, i) => new Writer(i + 1, installation.url, token, ledger));
for (const writer of writers) await retry(() => writer.prepare());

const report = new Report();
try {
  for (const scenario of SCENARIOS) await runScenario(scenario);
} catch (error) {
  report.failures.push(error instanceof Error ? error.message : String(error));
}
console.log(`\n${report}\n`);
for (const failure of report.failures.slice(0, 50)) console.error(failure);
process.exit(report.failures.length === 0 ? 0 : 1);

async function runScenario({ title, endsApplications = false, damage }: Scenario): Promise<void> {
  await installation.waitForReplication();
  const starts = installation.applications.map((application) => application.starts);
  for (const writer of writers) writer.begin();
  await waitForSaves();
  log(title);
  const period = ledger.begin();
  const repair = await damage(installation);
  await waitForSaves();
  await repair?.();
  const primary = await installation.waitForReplication();
  await waitForSaves();
  period.end();
  await Promise.all(writers.map((writer) => writer.pause()));
  const difference = await retry(() => compare(installation.databaseUrl, ledger.entries));
  report.add(title, period, difference);
  log(`  … done: ${primary.name} is the primary, ${ledger.entries.length} changes compared`);
  const fault = await retry(() => findHistoryFault(installation.databaseUrl));
  if (fault !== undefined) report.failures.push(`${title}: ${fault}`);
  const wasRestarted = installation.applications.some(({ starts: now }, i) => now !== starts[i]);
  if (wasRestarted && !endsApplications) report.failures.push(`${title}: an application was restarted`);
}

async function waitForSaves(): Promise<void> {
  const wanted = ledger.period.saved.length + writers.length * SAVES_PER_WRITER;
  await waitFor('all writers to save', () => trueOrUndefined(ledger.period.saved.length >= wanted));
}
