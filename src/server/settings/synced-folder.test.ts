import { expect, test } from 'vitest';
import { describeSynced } from './synced-folder.ts';

test.each([
  ['C:\\Users\\Sana\\OneDrive\\SIMS', 'is in OneDrive'],
  ['C:\\Users\\Sana\\OneDrive - NUST\\Documents\\sims', 'is in OneDrive'],
  ['/Users/sana/Library/Mobile Documents/sims', 'is in iCloud Drive'],
  ['/home/sana/Dropbox', 'is in Dropbox'],
  ['\\\\server\\registrar\\sims', 'is on a network drive'],
])('a data folder in %s is named: it %s', (path, reason) => {
  expect(describeSynced(path)).toMatch(new RegExp(`^${reason}`));
});

test.each(['C:\\ProgramData\\SIMS', '\\\\?\\C:\\ProgramData\\SIMS', '/var/lib/sims', '/home/onedriver/sims'])(
  'a data folder in %s is not',
  (path) => {
    expect(describeSynced(path)).toBeUndefined();
    expect(describeSynced(path, 0xef53)).toBeUndefined();
  },
);

test('a data folder on NFS or SMB is named on Linux', () => {
  for (const type of [0x6969, 0xff534d42, 0xfe534d42])
    expect(describeSynced('/srv/sims', type)).toMatch(/^is on a network drive/);
});
