import { setTimeout as pause } from 'node:timers/promises';

/** Polls until `ask` returns a value. Throws after two minutes without one; the error names the `condition`. */
export async function waitFor<Answer>(
  condition: string,
  ask: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await pause(100);
  }
  throw new Error(`Timed out after two minutes of waiting for ${condition}.`);
}

/** Turns `false` into `undefined`, as `waitFor` expects. */
export const trueOrUndefined = (condition: boolean): true | undefined => condition || undefined;

/** Tries up to five times: on a busy machine a connection may fail. */
export async function retry<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (attempt === 5) throw error;
      await pause(1_000);
    }
  }
}
