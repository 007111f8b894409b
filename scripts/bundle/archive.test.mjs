import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pack } from './archive.mjs';

const DATE = new Date('2026-11-28T08:00:00Z');

/** A folder with a program and a text, whose files were written at some time. */
function makeFolder(parent, order) {
  const folder = path.join(parent, 'sims-1.0.0');
  mkdirSync(path.join(folder, 'app'), { recursive: true });
  for (const [i, file] of order.entries()) {
    writeFileSync(path.join(folder, file), `content of ${file}`);
    chmodSync(path.join(folder, file), file === 'start' ? 0o755 : 0o644);
    utimesSync(path.join(folder, file), i, i * 1_000);
  }
  return folder;
}

test.skipIf(process.platform !== 'linux').each(['zip', 'tar.xz'])(
  'the same files give the same bytes as %s, with the programs executable',
  async (kind) => {
    const parents = [1, 2].map(() => mkdtempSync(path.join(tmpdir(), 'sims-archive-')));
    const [first, second] = parents.map((parent) => path.join(parent, `packed.${kind}`));
    await pack(makeFolder(parents[0], ['start', 'app/a.js', 'app/b.js']), first, DATE);
    await pack(makeFolder(parents[1], ['app/b.js', 'app/a.js', 'start']), second, DATE);
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
    if (kind === 'tar.xz') {
      const list = execFileSync('tar', ['-tvf', first], { encoding: 'utf8' }).trim().split('\n');
      expect(list.find((line) => line.endsWith('sims-1.0.0/start'))).toMatch(/^-rwxr-xr-x 0\/0 /);
      expect(list.find((line) => line.endsWith('app/a.js'))).toMatch(/^-rw-r--r-- 0\/0 /);
    }
    for (const parent of parents) rmSync(parent, { recursive: true });
  },
);
