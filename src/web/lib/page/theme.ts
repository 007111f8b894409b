import { useSyncExternalStore } from 'react';
import { createNotifier } from '../notifier.ts';

type Theme = 'light' | 'dark';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
const notifier = createNotifier();

systemIsDark.addEventListener('change', notifier.notify);

function systemTheme(): Theme {
  return systemIsDark.matches ? 'dark' : 'light';
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : systemTheme();
}

/** Switches between light and dark. Choosing the system's theme removes the choice: the page follows the system again. */
export function toggleTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  if (next === systemTheme()) {
    localStorage.removeItem('THEME');
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem('THEME', next);
    document.documentElement.dataset.theme = next;
  }
  notifier.notify();
}

export function useTheme(): Theme {
  return useSyncExternalStore(notifier.subscribe, currentTheme);
}
