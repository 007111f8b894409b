/** Takes the focus to the page's content, where what had it is gone. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}
