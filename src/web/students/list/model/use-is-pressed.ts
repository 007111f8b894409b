import { useSyncExternalStore } from 'react';

let isPressed = false;

function subscribe(onChange: () => void): () => void {
  const press = ({ button }: PointerEvent) => {
    // Only the main button clicks, and the release of others is not always reported.
    if (button !== 0) return;
    isPressed = true;
    onChange();
  };
  const release = () => {
    isPressed = false;
    onChange();
  };
  // The click follows the release, in the same task.
  const releaseAfterClick = () => setTimeout(release);
  window.addEventListener('pointerdown', press, { capture: true });
  window.addEventListener('pointerup', releaseAfterClick, { capture: true });
  window.addEventListener('pointercancel', release, { capture: true });
  window.addEventListener('blur', release);
  return () => {
    isPressed = false;
    window.removeEventListener('pointerdown', press, { capture: true });
    window.removeEventListener('pointerup', releaseAfterClick, { capture: true });
    window.removeEventListener('pointercancel', release, { capture: true });
    window.removeEventListener('blur', release);
  };
}

/** Whether the main button of the pointer is pressed. Renders again on a press or release only while `isWanted`. */
export const useIsPressed = (isWanted: boolean): boolean =>
  useSyncExternalStore(subscribe, () => isWanted && isPressed);
