import { linkPending } from '../../../src/server/history/links.ts';
import { runChecks } from '../../../src/server/verify/checks.ts';
import type { TestApp } from './test-app.ts';

/** What the checks of the database find, once all entries of the history are in its chain. */
export async function findings({ db }: Pick<TestApp, 'db'>): Promise<string[]> {
  await linkPending(db.write);
  const lines: string[] = [];
  await runChecks(db.read, (line) => lines.push(line));
  return lines.filter((line) => !line.endsWith(': in order'));
}
