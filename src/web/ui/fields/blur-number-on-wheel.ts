/**
 * Takes the focus off a number field when the wheel turns over it: browsers would change the number while the page
 * scrolls.
 */
export function blurNumberOnWheel(): void {
  document.addEventListener(
    'wheel',
    ({ target }) => {
      const isNumber = target instanceof HTMLInputElement && target.type === 'number';
      if (isNumber && target === document.activeElement) target.blur();
    },
    { passive: true },
  );
}
