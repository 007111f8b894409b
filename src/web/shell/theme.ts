import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}
systemIsDark.addEventListener('change', changed);

function systemTheme(): Theme {
  return systemIsDark.matches ? 'dark' : 'light';
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : systemTheme();
}

/** A choice that is also the system's is no choice: the page follows the system again. */
export function switchTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  if (next === systemTheme()) {
    localStorage.removeItem('THEME');
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem('THEME', next);
    document.documentElement.dataset.theme = next;
  }
  changed();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
