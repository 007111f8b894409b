import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tests/attacks/**/*.test.ts', 'scripts/**/*.test.mjs'],
    globalSetup: 'tests/support/database/global-setup.ts',
    // Loading the product again for each file took longer than running many of the files.
    isolate: false,
    // One more than CPUs, since some files wait for processes and databases. Each worker loads the whole product once.
    maxWorkers: availableParallelism() + 1,
    // A fault that shows rarely must not hide all other results; `npm test` names tests that needed it.
    retry: 1,
    // High enough that only a hang fails a test, not a slow machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
