import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Worker threads and processes run the build: one that runs the sources starts in 4 to 10 times the CPU time.
    alias: [
      {
        find: /^.*\/program-files\.ts$/,
        replacement: fileURLToPath(new URL('dist/server/program-files.js', import.meta.url)),
      },
      {
        find: /^@node-rs\/argon2$/,
        replacement: fileURLToPath(new URL('tests/support/app/argon2.ts', import.meta.url)),
      },
    ],
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
