import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tests/api/**/*.test.ts', 'scripts/**/*.test.mjs'],
    // A slow machine is no reason to fail: a hang is.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
