import { ensureInstalled, main, runTool, tools } from './setup.mjs';

/** Runs server and web app with hot reload; the web app's server proxies `/api`. Ctrl-C ends both. */
await main(async () => {
  await ensureInstalled();
  const parts = [
    runTool(tools.tsx, ['watch', '--clear-screen=false', 'src/server/main.ts']),
    runTool(tools.vite, ['--clearScreen', 'false'], { env: { SIMS_API_PORT: process.env.PORT ?? '3000' } }),
  ];
  process.once('SIGINT', () => process.exit(0)).once('SIGTERM', () => process.exit(0));
  const { code } = await Promise.race(parts);
  process.exit(code);
});
