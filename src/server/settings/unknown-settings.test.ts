import { expect, test } from 'vitest';
import { findUnknownSettings } from './unknown-settings.ts';

// Covers A94
test.for<[string, string]>([
  ['SIMS_REGISTRATON', 'SIMS_REGISTRATION'],
  ['SIMS_REGISTRATION_', 'SIMS_REGISTRATION'],
  ['SIMS_PUBLIC_URI', 'SIMS_PUBLIC_URL'],
  ['SIMS_BACKUPS_DIR', 'SIMS_BACKUP_DIR'],
  ['SIMS_SMTP_URL_FIEL', 'SIMS_SMTP_URL_FILE'],
  ['SIMS_DATABASE_URL', 'DATABASE_URL'],
  ['SIMS_PORT', 'PORT'],
])('the unknown variable %s is reported with the suggestion %s', ([name, nearest]) => {
  expect(findUnknownSettings({ [name]: 'secret' })).toEqual([
    `${name} is not a setting; did you mean ${nearest}?`,
  ]);
});

test('settings and variables of other programs are not reported', () => {
  const env = {
    SIMS_REGISTRATION: 'open',
    SIMS_METRICS_TOKEN_FILE: '/token',
    PATH: '/bin',
    DATABASE: 'x',
    XSIMS_X: '',
  };
  expect(findUnknownSettings(env)).toEqual([]);
});
