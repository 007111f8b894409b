import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { publishFile } from './atomic-write.ts';
import { createTempDir } from './temp-dir.ts';

/** Windows does not remove a file while a program, such as a virus scanner, has it open. */
describe('where no file can be removed, a backup', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sims-open-files-'));
    for (const name of ['unlink', 'rm'] as const)
      vi.spyOn(fs, name).mockRejectedValue(Object.assign(new Error('in use'), { code: 'EBUSY' }));
    syncBuiltinESMExports();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    rmSync(folder, { recursive: true, force: true });
  });

  test('gets its final name', async () => {
    const [written, final] = [path.join(folder, 'backup.db'), path.join(folder, 'final.backup')];
    writeFileSync(written, 'records');
    await publishFile(written, final);
    expect(readFileSync(final, 'utf8')).toBe('records');
  });

  test('ends without an error, and leaves its temporary folder to the next one', async () => {
    const partial = await createTempDir(path.join(folder, 'final.backup'));
    await partial.remove();
    expect(existsSync(partial.path)).toBe(true);
    const next = await createTempDir(path.join(folder, 'next.backup'));
    await next.remove();
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
