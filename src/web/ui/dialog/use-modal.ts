import { type RefObject, useEffect, useRef } from 'react';

/** Opens and closes a native modal dialog with `isOpen`. */
export function useModal(isOpen: boolean, given?: RefObject<HTMLDialogElement | null>) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  useEffect(() => {
    const element = dialog.current;
    if (isOpen && element && !element.open) element.showModal();
    else if (!isOpen && element?.open) element.close();
  }, [isOpen, dialog]);
  return dialog;
}
