// Runs before the first paint, so that a chosen theme never flashes the other one. In the language of the oldest browsers: it also tells
// them that they are too old.
var chosen;
try {
  chosen = localStorage.getItem('THEME');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.setAttribute('data-theme', chosen);
} catch (_error) {
  // Storage may be blocked; the system's theme is used then.
}
// By then the application has run, unless the browser does not understand it. Popovers are as new as the oldest stated browser.
window.addEventListener('load', () => {
  var hasStarted = document.documentElement.hasAttribute('data-started');
  if (!hasStarted || !('popover' in HTMLElement.prototype))
    document.getElementById('too-old').removeAttribute('hidden');
});
