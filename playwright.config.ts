import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from '@playwright/test';

/** Switch off Chromium's background traffic. As root it runs only without its sandbox. */
const chromiumFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // Tabs of one site share a process, which keeps compiled scripts from test to test.
  '--process-per-site',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const { CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/support/browser/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than CPUs, since a worker waits for its browser, its server and the unit tests in turn.
  workers: availableParallelism() + 1,
  // A fault that shows rarely must not hide all other results; `npm test` names tests that needed it. Their traces are kept.
  retries: 1,
  forbidOnly: true,
  // High enough that only a hang fails a test, not a slow machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // As for expectations: a hang is then reported where it is.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Painting animations takes a fifth of the time. Tests of animations and of what happens during them ask for motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces take a quarter of the time. `npm test -- --browser … --trace on` records them.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { args: chromiumFlags, ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}) },
  },
});
