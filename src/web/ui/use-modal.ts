import { useEffect, useRef } from 'react';

/** A native modal dialog that is open as long as `isOpen`; the browser traps and gives back the focus. */
export function useModal(isOpen: boolean) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (isOpen && element && !element.open) element.showModal();
    else if (!isOpen && element?.open) element.close();
  }, [isOpen]);
  return dialog;
}
