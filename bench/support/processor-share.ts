import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';

/** How often the kernel looks whether a process has had its part, in microseconds: short, so that calls hardly wait. */
const PERIOD = 5_000;

/** The kernel's files that set a part of a processor, in either version of its control groups. */
const LAYOUTS = [
  { root: '/sys/fs/cgroup/cpu', limit: 'cpu.cfs_quota_us', period: 'cpu.cfs_period_us' },
  { root: '/sys/fs/cgroup', limit: 'cpu.max', period: undefined },
] as const;

/**
 * Holds a running process to a part of one processor (0.3 is three tenths), as a smaller machine of its own would, until
 * the answered function is called. Undefined where only root could, and does not run this.
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
