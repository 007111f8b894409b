import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB, now or at its peak; read from `/proc`, so only on Linux. */
export function residentMib(pid: number | undefined, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

/** CPU time of a process in milliseconds, in steps of ten. */
export function computedMs(pid: number | undefined): number {
  try {
    // After the program name, which may contain blanks: fields 12 and 13 are user and system time in 1/100 s.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}
