import { test as base, describe, expect } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/database/engines.ts';
import { runSims } from '../../../tests/support/processes/command-line.ts';
import { createInstallation } from '../../../tests/support/processes/installation.ts';

const directions = [
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite },
];

describe.each(directions)('a copy whose process is killed, $name', ({ from, to }) => {
  const test = postgres.isMissing ? base.skip : base;

  test('is continued and completed by the same command', { timeout: 300_000 }, async () => {
    const installation = await createInstallation(from);
    const destination = await to.prepare();
    try {
      const command = ['copy', '--from', installation.database.location, '--to', destination.location];
      const killed = await runSims([...command, '--rows', '1'], { until: /^students: /m });
      expect(killed.signal).toBe('SIGKILL');
      expect(killed.output).not.toContain('Comparing');
      await expect(destination.open()).rejects.toThrow('unfinished copy');

      const done = await runSims(command);
      expect(done.code, done.output).toBe(0);
      expect(done.output).toMatch(/^Continuing the unfinished copy/);
      expect(done.output).not.toContain('users: ');
      expect(done.output).toMatch(/^students +43 +[0-9a-f]{16} +same$/m);
      expect(done.output).toMatch(
        /^Done in .+: [\d,]+ rows, the same in both\. Everybody signs in again\.$/m,
      );
      await (await destination.open()).close();
    } finally {
      await installation.database.remove();
      await destination.remove();
    }
  });
});

base.for<[readonly string[], number, RegExp]>([
  [
    [],
    0,
    /^Usage: .+\n\n(?: {2}[a-z-]+ {2,}\w.+\n)+\nDetails of a command: node dist\/server\/cli\/sims\.js/,
  ],
  [['cpoy'], 1, /^There is no command "cpoy"\.\n\nUsage: /],
  [['copy', '--help'], 0, /^ {2}--restart {2,}\w/m],
  [['copy', '--form', 'sqlite:x'], 1, /^Unknown option '--form'/],
])('sims %j prints help or an error', async ([args, code, says]) => {
  const answer = await runSims(args);
  expect(answer.output).toMatch(says);
  expect(answer.output).not.toMatch(/^\s+at /m);
  expect(answer.code).toBe(code);
});
