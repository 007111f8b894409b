import { expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { refuseLongPath } from './folder-access.ts';

const folder = (letters: number) => ({ name: 'data folder', path: `C:\\${'a'.repeat(letters - 3)}` });

test('a folder whose backups would have too long a path for Windows is refused there alone', () => {
  expect(() => refuseLongPath(folder(170), 'win32')).not.toThrow();
  expect(() => refuseLongPath(folder(171), 'linux')).not.toThrow();
  expect(() => refuseLongPath(folder(171), 'win32')).toThrow(StartError);
  expect(() => refuseLongPath(folder(171), 'win32')).toThrow(
    /^The data folder has a path of 171 letters\. Windows takes 260, .* C:\\a+$/,
  );
});
