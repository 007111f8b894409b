import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { keepFocus } from '../../lib/navigation/navigation.ts';

/** Opens and closes a native modal dialog with `isOpen`, and closes one that is removed while it is open. */
export function useModal(isOpen: boolean, given?: RefObject<HTMLDialogElement | null>) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  useEffect(() => {
    const element = dialog.current;
    if (isOpen && element && !element.open) element.showModal();
    else if (!isOpen && element?.open) element.close();
  }, [isOpen, dialog]);
  // While it is still in the document: only then the browser gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => {
      element?.close();
      keepFocus();
    };
  }, [dialog]);
  return dialog;
}
