/** Where the style sheet can't unfold them, opens what is folded while the page is printed. */
export function unfoldForPrint(): void {
  if (CSS.supports('selector(::details-content)')) return;
  let folded: readonly HTMLDetailsElement[] = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of folded) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
  });
}
