import { main, setup } from './setup.mjs';

/**
 * npm forwards a signal to the shell that it started, not to the process in it, so stopping `npm start` would leave the
 * server running. The end of the shell therefore counts as SIGTERM.
 */
function stopWithNpm() {
  // Windows does not tell a process of the end of its parent.
  if (process.platform === 'win32') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    // Once: a second signal would end the server immediately.
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

await main(setup);
if (process.env.npm_lifecycle_event === 'start') stopWithNpm();
// In this process, so that signals reach the server.
await import('../dist/server/main.js');
