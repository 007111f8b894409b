import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tests/attacks/**/*.test.ts', 'scripts/**/*.test.mjs'],
    globalSetup: 'tests/support/whole-run.ts',
    // Loading the whole product anew for each file took longer than many a file.
    isolate: false,
    // Most of the time is spent waiting for disks and databases, so one core can do more than one file at once.
    maxWorkers: availableParallelism() + 4,
    // A slow machine is no reason to fail: a hang is.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
