import { ensureInstalled, main, runTool, tools } from './setup.mjs';

/** Both sides with hot reload; the browser's one hands `/api` on to the server. Ctrl-C ends both. */
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
