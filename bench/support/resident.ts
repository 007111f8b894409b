import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB, or its highest so far; Linux alone tells it without a further program. */
export function residentMib(pid: number | undefined, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

/** Milliseconds that a process has been computing so far, in steps of ten; other programs on the machine don't count. */
export function computedMs(pid: number | undefined): number {
  try {
    // After the program's name, which may hold blanks: the 12th and 13th are the user's and the system's hundredths.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}
