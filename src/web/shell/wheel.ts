/**
 * Scrolling never edits: a number field that has the focus would change its number as the wheel turns over it, while
 * the page scrolls on. Without the focus it doesn't.
 */
export function keepWheelFromNumbers(): void {
  document.addEventListener(
    'wheel',
    ({ target }) => {
      const isNumber = target instanceof HTMLInputElement && target.type === 'number';
      if (isNumber && target === document.activeElement) target.blur();
    },
    { passive: true },
  );
}
