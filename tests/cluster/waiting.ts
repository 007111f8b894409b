import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until there is an answer; the run fails when there is none for two minutes. */
export async function until<Answer>(
  what: string,
  ask: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  const end = Date.now() + 120_000;
  while (Date.now() < end) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await pause(100);
  }
  throw new Error(`Waited two minutes in vain: ${what}.`);
}

/** `undefined` where it is not so, for `until`. */
export const ifSo = (so: boolean): true | undefined => so || undefined;

/** What fails because a busy machine has just missed a connection does not fail five times. */
export async function persist<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries === 5) throw error;
      await pause(1_000);
    }
  }
}
