import { type LucideIcon, Redo2, Undo2 } from 'lucide-react';
import { commandShortcut } from '../lib/keyboard-shortcuts.ts';
import { IconButton } from '../ui/button.tsx';

interface UndoRedoButtonsProps {
  canUndo: boolean;
  canRedo: boolean;
  onUndo: () => void;
  onRedo: () => void;
}

export const UndoRedoButtons = ({ canUndo, canRedo, onUndo, onRedo }: UndoRedoButtonsProps) => (
  <>
    <StepButton label="Undo" shortcut={commandShortcut('Z')} icon={Undo2} isOff={!canUndo} onPress={onUndo} />
    <StepButton label="Redo" shortcut={commandShortcut('Y')} icon={Redo2} isOff={!canRedo} onPress={onRedo} />
  </>
);

interface StepButtonProps {
  label: string;
  shortcut: string;
  icon: LucideIcon;
  isOff: boolean;
  onPress: () => void;
}

const StepButton = ({ label, shortcut, icon: Icon, isOff, onPress }: StepButtonProps) => (
  <IconButton
    label={label}
    title={`${label} (${shortcut})`}
    // Not `disabled`, which would drop the focus after the last step.
    aria-disabled={isOff}
    className={isOff ? 'opacity-40' : undefined}
    onClick={onPress}
  >
    <Icon />
  </IconButton>
);
