import { errorMessage } from '../lib/api.ts';
import { type ApplyKey, findPreview, type Preview } from '../lib/call.ts';
import { type TaskOptions, useTask } from './use-task.ts';

interface PreviewedApplyOptions<Key extends ApplyKey, Shown, Input, Result>
  extends Omit<TaskOptions<Input, Result>, 'run' | 'failure' | 'onError'> {
  /** The preview on the screen, with its fingerprint; undefined until it is read. */
  preview: Shown | undefined;
  /** Makes the call with the preview that was on the screen when the button was pressed. */
  run: (key: Key, preview: Shown, input: Input) => Promise<Result>;
  /** Shown where the server gives no reason. */
  failure: string;
  /** Shown after the server's message when the preview was outdated, such as "This is the preview as it is now." */
  outdatedNote?: string;
  /** Shows the preview that the server has sent instead of an outdated one, and what it says. */
  onOutdated: (current: Preview<Key>, problem: string | undefined) => void | Promise<void>;
  /** Called for other refusals. */
  onError?: (error: Error, problem: string | undefined) => void | Promise<void>;
}

/**
 * Applies what a preview has shown, and nothing else: the call takes the fingerprint of the preview, and the server refuses
 * one that no longer holds (412) with the preview as it is now. That is shown, and applied when the user confirms again.
 */
export function usePreviewedApply<Key extends ApplyKey, Shown, Result, Input = void>(
  key: Key,
  {
    preview,
    run,
    failure,
    outdatedNote,
    onOutdated,
    onError,
    ...options
  }: PreviewedApplyOptions<Key, Shown, Input, Result>,
) {
  const { start, ...task } = useTask({
    ...options,
    run: ({ shown, input }: { shown: Shown; input: Input }) => run(key, shown, input),
    failure: (error) => {
      const text = errorMessage(error, failure);
      return outdatedNote !== undefined && findPreview(error, key) ? `${text} ${outdatedNote}` : text;
    },
    onError: async (error, problem) => {
      const current = findPreview(error, key);
      await (current === undefined ? onError?.(error, problem) : onOutdated(current, problem));
    },
  });
  return {
    ...task,
    /** The preview on the screen has replaced an outdated one, and is to be confirmed again. */
    isOutdated: findPreview(task.error, key) !== undefined,
    apply: (input: Input) => {
      if (preview !== undefined) start({ shown: preview, input });
    },
  };
}
