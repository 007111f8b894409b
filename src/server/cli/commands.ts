import { isOfTheDatabase, isOutOfReach, isStorageFull } from '../db/dialect.ts';
import { AppError, InvalidFields } from '../errors.ts';
import { SettingsError } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { backup } from './backup.ts';
import { copy } from './copy.ts';
import { exportStudents } from './export.ts';
import { history } from './history.ts';
import { migrate } from './migrate.ts';
import { relist } from './relist.ts';
import { restore } from './restore.ts';
import { user } from './user.ts';
import { verify } from './verify.ts';

/** Where the settings come from. */
export type Env = Readonly<Record<string, string | undefined>>;

/** One thing that can be done to an installation from the command line. */
export interface Command {
  summary: string;
  /** All about it, for who asks for help. */
  help: string;
  /** Answers the exit code. */
  run(args: string[], env: Env): Promise<number>;
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  backup,
  restore,
  verify,
  relist,
  migrate,
  copy,
  user,
  export: exportStudents,
  history,
};

const overview = () =>
  [
    'Usage: npm run sims -- <command> [options]',
    '',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'npm run sims -- <command> --help tells more of one.',
  ].join('\n');

/** Does what the arguments say, and answers the exit code. */
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

const isMisread = (error: unknown) =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** A folder that can't be written, a disk that is full, a server that is away: what the system says is the reason. */
const isOfTheSystem = (error: Error) =>
  'syscall' in error ||
  isOutOfReach(error) ||
  isStorageFull(error) ||
  isOfTheDatabase(error) ||
  /malformed|not a database/i.test(error.message);

/** What was refused or can't be done, in a line or some; anything else is a fault of the program. */
export function textOf(error: unknown): unknown {
  if (error instanceof InvalidFields) return Object.values(error.errors).flat().join('\n');
  const isExpected =
    error instanceof Error &&
    (error instanceof SettingsError ||
      error instanceof StartError ||
      error instanceof AppError ||
      isMisread(error) ||
      isOfTheSystem(error));
  return isExpected ? error.message : error;
}
