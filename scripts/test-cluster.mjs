import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureCluster } from './setup/cluster.mjs';
import { inProject, main, setup, tools } from './setup.mjs';

/**
 * `npm run test:cluster` runs SIMS on three PostgreSQL servers through failovers and checks that nothing was lost.
 * `npm run test:cluster -- --keep` keeps the folder with the logs and databases.
 */
const keep = process.argv.includes('--keep');

/** The kernel ends all processes of a PID namespace with its first one. */
const NAMESPACES = ['--pid', '--fork', '--kill-child', '--mount-proc', '--mount', '--net'];

await main(async () => {
  await ensureCluster();
  await setup();
  const folder = mkdtempSync(path.join(tmpdir(), 'sims-cluster-'));
  // The servers run as another user.
  chmodSync(folder, 0o755);
  const program = [
    process.execPath,
    inProject('node_modules', tools.tsx),
    inProject('tests/cluster/main.ts'),
  ];
  const child = spawn('unshare', [...NAMESPACES, ...program, folder], { stdio: 'inherit' });
  const stop = () => child.kill('SIGKILL');
  process.on('SIGINT', stop).on('SIGTERM', stop);
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  if (keep) console.log(`Logs and databases: ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});
