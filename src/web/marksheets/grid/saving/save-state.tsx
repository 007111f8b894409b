import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatTime, plural } from '../../../lib/format.ts';
import { classNames } from '../../../ui/class-names.ts';
import type { EditorState } from '../model/mark-editor.ts';
import type { CellValue } from '../model/unsent-cells.ts';
import { useEditorState, useUnsentMarks } from './use-mark-editing.ts';

interface SaveStateProps {
  /** Not that all is well: for the tabs where nothing is typed. */
  onlyProblems: boolean;
}

/** Whether everything that was typed is stored, and what happens if not. */
export function SaveState({ onlyProblems }: SaveStateProps) {
  const state = useEditorState();
  // What waits is on its way.
  const unsaved = useUnsentMarks().filter(({ kind }) => kind !== 'waiting').length;
  return <SaveStateText state={state} unsaved={unsaved} onlyProblems={onlyProblems} />;
}

interface SaveStateTextProps {
  state: EditorState<CellValue>;
  unsaved: number;
  onlyProblems: boolean;
  /** What one and several cells are called. */
  noun?: readonly [one: string, several: string];
}

/** The same of another editor. */
export function SaveStateText({
  state,
  unsaved,
  onlyProblems,
  noun: [one, several] = ['mark', 'marks'],
}: SaveStateTextProps) {
  const { save, savedAt, retryAt, refusal, isKept, unsent } = state;
  const isOnline = useIsOnline();
  const seconds = useSecondsUntil(save === 'retrying' ? retryAt : undefined);
  const count = [...unsent.values()].reduce((sum, row) => sum + row.size, 0);
  const kept = isKept ? ` ${plural(count, `${one} is`, `${several} are`)} kept on this computer.` : '';
  const [Icon, tone, text] =
    save === 'refused'
      ? ([TriangleAlert, 'text-danger-text', `Not saved. ${refusal}`] as const)
      : !isOnline && count > 0
        ? ([CloudOff, 'text-warn', `Offline.${kept}`] as const)
        : save === 'retrying'
          ? ([TriangleAlert, 'text-warn', `Not saved. Trying again in ${seconds} s.`] as const)
          : save === 'saving' && !onlyProblems
            ? ([LoaderCircle, 'text-fg-3', 'Saving'] as const)
            : unsaved > 0
              ? ([TriangleAlert, 'text-danger-text', `${plural(unsaved, one, several)} not saved`] as const)
              : savedAt === undefined || onlyProblems
                ? ([Check, 'text-fg-3', ''] as const)
                : ([Check, 'text-fg-3', `Saved ${formatTime(savedAt.toISOString())}`] as const);
  return (
    <span
      role="status"
      className={classNames(
        'flex min-h-8 min-w-0 items-center gap-1.5 text-label',
        // Beside the buttons on a phone, with room for it: a field must not move under the finger when the text comes.
        onlyProblems ? text === '' && '-me-4' : 'max-sm:order-last max-sm:flex-1',
        tone,
      )}
    >
      {text !== '' && (
        <>
          <Icon className={classNames('size-3.5 shrink-0', Icon === Check && 'text-ok')} />
          <span className="wrap-anywhere min-w-0">{text}</span>
        </>
      )}
    </span>
  );
}

function useIsOnline(): boolean {
  const [isOnline, setIsOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setIsOnline(navigator.onLine);
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return isOnline;
}

function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (time === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1000));
}
