import { checkBackupFolder, checkDataFolder } from './folder-access.ts';
import { readSettings, type Settings } from './settings.ts';
import { findUnknownSettings } from './unknown-settings.ts';

/**
 * Reads the settings and checks the permissions of their folders, before anything is opened or created there.
 *
 * @param warn is called with one line for each problem that need not stop the process
 * @throws SettingsError, StartError
 */
export function readCheckedSettings(
  env: Readonly<Record<string, string | undefined>>,
  warn: (line: string) => void,
): Settings {
  // First: a setting that is then reported as missing may be one of these misspelt names.
  for (const line of findUnknownSettings(env)) warn(line);
  const settings = readSettings(env);
  const { dir } = settings.backup;
  const warnings = [
    ...(settings.databaseUrl === undefined ? checkDataFolder(settings.dataDir) : []),
    ...(dir === undefined ? [] : checkBackupFolder(dir)),
  ];
  for (const line of warnings) warn(line);
  return settings;
}
