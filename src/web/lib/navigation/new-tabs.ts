/**
 * The session lives in session storage, which browsers copy to tabs that the page opens, but not to tabs opened by a
 * click with Ctrl, ⌘, Shift or the middle button. The page therefore opens those itself for its own links; whether
 * the new tab comes to the front is up to the browser.
 */
export function shareSessionWithNewTabs(): void {
  document.addEventListener('click', openSignedIn);
  document.addEventListener('auxclick', openSignedIn);
}

function openSignedIn(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  const opensTab = button === 1 || (button === 0 && (ctrlKey || metaKey || shiftKey));
  if (!opensTab || defaultPrevented || link === null) return;
  if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
  event.preventDefault();
  window.open(link.href, '_blank');
}
