import process from 'node:process';
import { runCommand, textOf } from './commands.ts';

// Whoever reads what is written, such as "head", may have had enough.
process.stdout.on('error', () => process.exit(1));

runCommand(process.argv.slice(2), process.env).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(textOf(error));
    process.exit(1);
  },
);
