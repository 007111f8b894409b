/**
 * The session is the tab's own. A browser hands it on to a tab that the page opens, but not to one that a click with Ctrl, ⌘,
 * Shift or the middle button opens, which would ask to sign in: so the page opens those for its own links. Whether the
 * new tab comes to the front stays with the browser, which looks at the same keys.
 */
export function handSessionToNewTabs(): void {
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
