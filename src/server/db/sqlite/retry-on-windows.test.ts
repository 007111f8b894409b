import { describe, expect, test } from 'vitest';
import { retryOnWindows } from './retry-on-windows.ts';

/** A step that fails with an error code a number of times, and how often it was run. */
function failing(code: string, times: number) {
  const run = { count: 0 };
  const step = () => {
    run.count += 1;
    if (run.count <= times) throw Object.assign(new Error(code), { code });
    return 'done';
  };
  return { run, step };
}

describe('a step on a file that another program has open', () => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', async (code) => {
    const { run, step } = failing(code, 2);
    expect(await retryOnWindows(step, 'win32')).toBe('done');
    expect(run.count).toBe(3);
  });

  test('fails at once elsewhere, where the error is about permissions, and for other errors', async () => {
    const denied = failing('EACCES', 1);
    await expect(retryOnWindows(denied.step, 'linux')).rejects.toThrow('EACCES');
    const missing = failing('ENOENT', 1);
    await expect(retryOnWindows(missing.step, 'win32')).rejects.toThrow('ENOENT');
    expect([denied.run.count, missing.run.count]).toEqual([1, 1]);
  });
});
