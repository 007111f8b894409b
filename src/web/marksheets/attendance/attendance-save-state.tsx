import { SaveStateText } from '../grid/saving/save-state.tsx';
import { useAttendanceState, useUnsentAttendance } from './use-attendance-editing.ts';

const FIGURES = ['figure', 'figures'] as const;

/** Whether all attendance that was typed is stored, and what happens if not; nothing beside it while all is well elsewhere. */
export function AttendanceSaveState({ onlyProblems }: { onlyProblems: boolean }) {
  const state = useAttendanceState();
  const unsaved = useUnsentAttendance().filter(({ kind }) => kind !== 'waiting').length;
  if (onlyProblems && unsaved === 0 && state.save === 'saved') return null;
  return <SaveStateText state={state} unsaved={unsaved} onlyProblems={onlyProblems} noun={FIGURES} />;
}
