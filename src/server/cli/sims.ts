import process from 'node:process';
import { runCommand, toErrorText } from './commands.ts';
import { escapeLines } from './print.ts';

// Backups, exports and databases are readable by their owner only.
process.umask(0o077);

// The reader of a pipe, such as "head", may close it early.
process.stdout.on('error', () => process.exit(1));

runCommand(process.argv.slice(2), process.env).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const text = toErrorText(error);
    console.error(typeof text === 'string' ? escapeLines(text) : text);
    process.exit(1);
  },
);
