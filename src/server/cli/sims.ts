import { isOutOfReach, isStorageFull } from '../db/dialect.ts';
import { SettingsError } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { backup } from './backup.ts';
import { copy } from './copy.ts';
import { relist } from './relist.ts';
import { restore } from './restore.ts';
import { verify } from './verify.ts';

/** One thing that can be done to an installation from the command line. */
export interface Command {
  summary: string;
  /** All about it, for who asks for help. */
  help: string;
  /** Answers the exit code. */
  run(args: string[]): Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = { backup, restore, verify, relist, copy };

const overview = () =>
  [
    'Usage: npm run sims -- <command> [options]',
    '',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'npm run sims -- <command> --help tells more of one.',
  ].join('\n');

async function main([name, ...args]: string[]): Promise<number> {
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
  return command.run(args);
}

const isMisread = (error: unknown) =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** A folder that can't be written, a disk that is full, a server that is away: what the system says is the reason. */
const isOfTheSystem = (error: Error) =>
  'syscall' in error ||
  isOutOfReach(error) ||
  isStorageFull(error) ||
  /malformed|not a database/i.test(error.message);

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExpected =
      error instanceof Error &&
      (error instanceof SettingsError ||
        error instanceof StartError ||
        isMisread(error) ||
        isOfTheSystem(error));
    console.error(isExpected ? error.message : error);
    process.exit(1);
  },
);
