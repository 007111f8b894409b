import { Moon, Sun } from 'lucide-react';
import { toggleTheme, useTheme } from '../lib/page/theme.ts';
import { IconButton } from '../ui/button.tsx';

export function ThemeSwitch({ className }: { className?: string }) {
  const isDark = useTheme() === 'dark';
  const Icon = isDark ? Sun : Moon;
  return (
    <IconButton
      label={isDark ? 'Use the light theme' : 'Use the dark theme'}
      onClick={toggleTheme}
      className={className}
    >
      <Icon />
    </IconButton>
  );
}
