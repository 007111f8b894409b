import { main, setup } from './setup.mjs';

/**
 * npm hands a signal to the shell that it started, not to what runs in it: a stopped `npm start` would leave the
 * server behind. A shell that is gone therefore counts as SIGTERM.
 */
function stopWithNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    // Once: a second signal would end the running work at once.
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

await main(setup);
if (process.env.npm_lifecycle_event === 'start') stopWithNpm();
// In this very process, so that signals reach the server itself.
await import('../dist/server/main.js');
