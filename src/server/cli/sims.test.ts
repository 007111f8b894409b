import { test as base, describe, expect } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/engines.ts';
import { anInstallation } from '../../../tests/support/installation.ts';
import { sims } from '../../../tests/support/sims.ts';

const ways = [
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite },
];

describe.each(ways)('a copy whose process is killed, $name', ({ from, to }) => {
  const test = postgres.isMissing ? base.skip : base;

  test('is gone on with by the same command, and is whole', { timeout: 120_000 }, async () => {
    const house = await anInstallation(from);
    const there = await to.prepare();
    try {
      const command = ['copy', '--from', house.database.place, '--to', there.place];
      const killed = await sims([...command, '--rows', '1'], { until: /^students: /m });
      expect(killed.signal).toBe('SIGKILL');
      expect(killed.output).not.toContain('Comparing');
      await expect(there.open()).rejects.toThrow('unfinished copy');

      const done = await sims(command);
      expect(done.code, done.output).toBe(0);
      expect(done.output).toMatch(/^Going on with the copy/);
      expect(done.output).not.toContain('users: ');
      expect(done.output).toMatch(/^students +41 +[0-9a-f]{16} +same$/m);
      expect(done.output).toMatch(
        /^Done in .+: [\d,]+ rows, the same in both\. Everybody signs in again\.$/m,
      );
      await (await there.open()).close();
    } finally {
      await house.database.remove();
      await there.remove();
    }
  });
});

base.for<[readonly string[], number, RegExp]>([
  [[], 0, /^Usage: .+\n\n(?: {2}[a-z]+ {2,}\w.+\n)+\nnpm run sims/],
  [['cpoy'], 1, /^There is no command "cpoy"\.\n\nUsage: /],
  [['copy', '--help'], 0, /^ {2}--restart {2,}\w/m],
  [['copy', '--form', 'sqlite:x'], 1, /^Unknown option '--form'/],
])('sims %j', async ([args, code, says]) => {
  const answer = await sims(args);
  expect(answer.output).toMatch(says);
  expect(answer.output).not.toMatch(/^\s+at /m);
  expect(answer.code).toBe(code);
});
