import { Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import { switchTheme, useTheme } from '../shell/theme.ts';
import type { PaletteOption } from './options.ts';

interface Acts {
  onHelp: () => void;
  onLogout: () => void;
}

/** What can be done from any screen without going anywhere. */
export function useActions({ onHelp, onLogout }: Acts): PaletteOption[] {
  const isDark = useTheme() === 'dark';
  const group = 'Actions';
  return [
    {
      ...{ id: 'theme', group, Icon: isDark ? Sun : Moon, run: switchTheme },
      label: isDark ? 'Use the light theme' : 'Use the dark theme',
      words: 'switch theme colours mode',
    },
    {
      ...{ id: 'help', group, Icon: Keyboard, run: onHelp },
      label: 'Keyboard shortcuts',
      words: 'help keys',
      keys: ['?'],
    },
    { ...{ id: 'logout', group, Icon: LogOut, run: onLogout }, label: 'Logout', words: 'log sign out' },
  ];
}
