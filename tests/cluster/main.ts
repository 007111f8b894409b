import { registerUser } from '../support/api.ts';
import { compare, faultOfHistory } from './compare.ts';
import { Installation } from './installation.ts';
import { Ledger } from './ledger.ts';
import { Report } from './report.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { ifSo, persist, until } from './waiting.ts';
import { Writer } from './writer.ts';

/**
 * Nothing acknowledged is lost or made twice when machines, networks and programs fail under load. Started by
 * scripts/test-cluster.mjs in namespaces of its own, so that nothing of it outlives it.
 */
const WRITERS = 12;
/** Changes of each writer that show that all is well again. */
const ENOUGH = 3;

const since = performance.now();
const say = (what: string) =>
  console.log(`${((performance.now() - since) / 1_000).toFixed(1).padStart(6)} s  ${what}`);

const [folder = ''] = process.argv.slice(2);
say('Three database machines, two applications and a proxy start …');
const installation = new Installation(folder);
await installation.setUp();
const { token } = await persist(() => registerUser(installation.url));
const ledger = new Ledger();
const writers = Array.from({ length: WRITERS }, (_, i) => new Writer(i + 1, installation.url, token, ledger));
for (const writer of writers) await persist(() => writer.prepare());

const report = new Report();
try {
  for (const scenario of SCENARIOS) await goThrough(scenario);
} catch (error) {
  report.failures.push(error instanceof Error ? error.message : String(error));
}
console.log(`\n${report}\n`);
for (const failure of report.failures.slice(0, 50)) console.error(failure);
process.exit(report.failures.length === 0 ? 0 : 1);

async function goThrough({ title, endsApplications = false, damage }: Scenario): Promise<void> {
  await installation.whole();
  const starts = installation.applications.map((application) => application.starts);
  for (const writer of writers) writer.begin();
  await enoughSaved();
  say(title);
  const period = ledger.begin();
  const repair = await damage(installation);
  await enoughSaved();
  await repair?.();
  const primary = await installation.whole();
  await enoughSaved();
  period.end();
  await Promise.all(writers.map((writer) => writer.pause()));
  const difference = await persist(() => compare(installation.databaseUrl, ledger.entries));
  report.add(title, period, difference);
  say(`  … over: ${primary.name} is the primary, ${ledger.entries.length} changes compared`);
  const fault = await persist(() => faultOfHistory(installation.databaseUrl));
  if (fault !== undefined) report.failures.push(`${title}: ${fault}`);
  const again = installation.applications.some(({ starts: now }, i) => now !== starts[i]);
  if (again && !endsApplications) report.failures.push(`${title}: an application had to be started again`);
}

async function enoughSaved(): Promise<void> {
  const wanted = ledger.period.saved.length + writers.length * ENOUGH;
  await until('everybody saves again', () => ifSo(ledger.period.saved.length >= wanted));
}
