import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, errorMessage } from '../lib/api.ts';
import { flash } from '../ui/flash.tsx';
import { displayErrorTexts, type ErrorTextRewrite } from './messages/error-texts.ts';
import type { FieldErrors } from './use-draft-form.ts';

export interface TaskOptions<Input, Result> {
  /** Throws what the server refuses. */
  run: (input: Input) => Promise<Result>;
  /**
   * Shown where the server gives no reason, such as "The document could not be revoked. Try again." A function gives the
   * text where no field is refused.
   */
  failure: string | ((error: Error) => string);
  /** The fields on the screen. What is refused of others is shown as the problem of the whole task. */
  fields?: readonly string[];
  /** How the server's error texts are shown at their fields. */
  rewrite?: ErrorTextRewrite | undefined;
  /** Lists to be read again when the task is done. */
  invalidates?: readonly QueryKey[];
  /** Called when the task is done, before its message is shown. */
  onDone?: ((result: Result) => void | Promise<void>) | undefined;
  /** Offers to undo what was done, in the message of the reply. */
  undo?: ((result: Result) => void) | undefined;
  /** Whether the message of the reply is a warning, such as when a part was left. */
  isWarning?: ((result: Result) => boolean) | undefined;
  /** Called when the task was refused, with what is shown of it, such as to read an outdated preview again. */
  onError?: ((error: Error, problem: string | undefined, input: Input) => void | Promise<void>) | undefined;
  /** Called in both cases afterwards, such as to close a question. */
  onSettled?: (() => void | Promise<void>) | undefined;
  /** Shows what was refused as a message, where the screen has no place for it. */
  flashesProblem?: boolean;
}

/**
 * One thing that the user does by pressing a button: sends it once at a time, shows the message of the reply, and keeps what
 * was refused, by field and in all.
 */
export function useTask<Result, Input = void>({
  run,
  failure,
  fields = [],
  rewrite,
  invalidates = [],
  onDone,
  undo,
  isWarning = () => false,
  onError,
  onSettled,
  flashesProblem = false,
}: TaskOptions<Input, Result>) {
  const queries = useQueryClient();
  const isStarted = useRef(false);
  const explain = (error: Error | null) => {
    const errors: FieldErrors = error instanceof ApiError ? displayErrorTexts(error.errors, rewrite) : {};
    return { errors, problem: error === null ? undefined : toProblem(error, errors, fields, failure) };
  };
  const task = useMutation({
    networkMode: 'always',
    mutationFn: async (input: Input) => {
      const result = await run(input);
      await Promise.all(invalidates.map((queryKey) => queries.invalidateQueries({ queryKey })));
      await onDone?.(result);
      if (hasMessage(result)) {
        const action = undo && { label: 'Undo', run: () => undo(result) };
        flash(result.message, isWarning(result) ? 'warning' : 'done', action);
      }
    },
    onError: async (error, input) => {
      const { problem } = explain(error);
      if (flashesProblem && problem !== undefined) flash(problem, 'warning');
      await onError?.(error, problem, input);
    },
    onSettled: async () => {
      isStarted.current = false;
      await onSettled?.();
    },
  });
  const { error, isIdle, isPending: isRunning, isSuccess: isDone, reset, variables: input } = task;
  return {
    start: (input: Input) => {
      // Two presses may come before the button shows that the task is running.
      if (isStarted.current) return;
      isStarted.current = true;
      task.mutate(input);
    },
    /** Not started since the screen was opened, or reset. */
    isIdle,
    isRunning,
    isDone,
    /** The input of the last start. */
    input,
    error,
    /** The refused fields with their texts, and one problem for what no field shows. */
    ...explain(error),
    reset,
  };
}

const hasMessage = (result: unknown): result is { message: string } =>
  typeof result === 'object' && result !== null && 'message' in result && typeof result.message === 'string';

function toProblem(
  error: Error,
  errors: FieldErrors,
  fields: readonly string[],
  failure: string | ((error: Error) => string),
) {
  const [elsewhere] = Object.entries(errors).filter(([field]) => !fields.includes(field));
  if (elsewhere !== undefined) return elsewhere[1];
  if (Object.keys(errors).length > 0) return undefined;
  return typeof failure === 'string' ? errorMessage(error, failure) : failure(error);
}
