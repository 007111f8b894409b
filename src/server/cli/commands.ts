import { isDatabaseError, isStorageFull, isUnavailable } from '../db/dialect/errors.ts';
import { AppError, ValidationError } from '../errors.ts';
import { SettingsError } from '../settings/settings.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import type { Command, Env } from './command.ts';
import { backup } from './database/backup.ts';
import { copy } from './database/copy.ts';
import { migrate } from './database/migrate.ts';
import { reindex } from './database/reindex.ts';
import { restore } from './database/restore.ts';
import { verify } from './database/verify.ts';
import { exportStudents } from './export.ts';
import { history } from './history.ts';
import { importFile } from './import.ts';
import { installService, removeService } from './service.ts';
import { signingKey } from './signing-key.ts';
import { user } from './user.ts';
import { verifyDocument } from './verify-document.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  backup,
  restore,
  verify,
  reindex,
  migrate,
  copy,
  user,
  export: exportStudents,
  import: importFile,
  history,
  'signing-key': signingKey,
  'verify-document': verifyDocument,
  'install-service': installService,
  'remove-service': removeService,
};

const overview = () =>
  [
    `Usage: ${SIMS_COMMAND} <command> [options]`,
    '',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`),
    '',
    `Details of a command: ${SIMS_COMMAND} <command> --help`,
  ].join('\n');

/** @returns the exit code */
export async function runCommand([name, ...args]: string[], env: Env): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(overview());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new StartError(`There is no command "${name}".\n\n${overview()}`);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.help);
    return 0;
  }
  return command.run(args, env);
}

const isUsageError = (error: unknown) =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** Caused by the system, such as a full disk or an unreachable server: its message says enough. */
const isSystemError = (error: Error) =>
  'syscall' in error ||
  isUnavailable(error) ||
  isStorageFull(error) ||
  isDatabaseError(error) ||
  /malformed|not a database/i.test(error.message);

/** The message of an expected error; any other error, a fault of the program, unchanged. */
export function toErrorText(error: unknown): unknown {
  if (error instanceof ValidationError) return Object.values(error.errors).flat().join('\n');
  const isExpected =
    error instanceof Error &&
    (error instanceof SettingsError ||
      error instanceof StartError ||
      error instanceof AppError ||
      isUsageError(error) ||
      isSystemError(error));
  return isExpected ? error.message : error;
}
