import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inProject } from './project.mjs';

const LOCK = inProject('dist', '.setup-lock');
/** The holder touches the lock at this interval; a lock untouched for STALE_MS was left by a killed process. */
const TOUCH_MS = 1_000;
const STALE_MS = 10_000;

function take() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  try {
    mkdirSync(LOCK);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

const age = () => Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());

/** Removes a stale lock. It is renamed first, so that only one of several waiting processes succeeds. */
function breakStale() {
  const aside = `${LOCK}-${process.pid}`;
  try {
    renameSync(LOCK, aside);
    rmSync(aside, { recursive: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * Runs `work` while no other process of this project installs or builds.
 * The lock is a folder, because creating one is atomic on every file system.
 */
export async function withSetupLock(work) {
  let hasReported = false;
  while (!take()) {
    if (age() > STALE_MS) {
      breakStale();
      continue;
    }
    if (!hasReported) console.log('Waiting for another set-up of this folder to finish …');
    hasReported = true;
    await pause(200);
  }
  const release = () => rmSync(LOCK, { recursive: true, force: true });
  const touching = setInterval(() => utimesSync(LOCK, new Date(), new Date()), TOUCH_MS);
  const onSignal = () => process.exit(1);
  process.once('exit', release).once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release).off('SIGINT', onSignal).off('SIGTERM', onSignal);
    release();
  }
}
