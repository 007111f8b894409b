import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';

/** Period of the CPU quota in microseconds; short, so that requests hardly wait for the next one. */
const PERIOD = 5_000;

/** The files that set the CPU quota in cgroup v1 and v2. */
const LAYOUTS = [
  { root: '/sys/fs/cgroup/cpu', limit: 'cpu.cfs_quota_us', period: 'cpu.cfs_period_us' },
  { root: '/sys/fs/cgroup', limit: 'cpu.max', period: undefined },
] as const;

/**
 * Limits a running process to a share of one CPU (0.3 is three tenths), like a smaller machine, until the returned function
 * is called. Returns undefined without permission (only root may set it).
 */
export function holdToShare(pid: number | undefined, share: number): (() => void) | undefined {
  for (const { root, limit, period } of LAYOUTS) {
    const group = `${root}/sims-bench-${pid}`;
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      const quota = Math.round(share * PERIOD);
      if (period !== undefined) writeFileSync(`${group}/${period}`, String(PERIOD));
      writeFileSync(`${group}/${limit}`, period === undefined ? `${quota} ${PERIOD}` : String(quota));
      writeFileSync(`${group}/cgroup.procs`, String(pid));
    } catch {
      rmdirSync(group);
      continue;
    }
    return () => {
      writeFileSync(`${root}/cgroup.procs`, String(pid));
      rmdirSync(group);
    };
  }
  return undefined;
}
