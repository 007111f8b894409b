import process from 'node:process';
import { text } from 'node:stream/consumers';
import { StartError } from '../start-error.ts';

/** Keys as a terminal sends them. */
const ENTER = /[\r\n]/;
const ERASE = ['\u007f', '\b'];
const BREAK_OFF = ['\u0003', '\u0004'];

/**
 * Asks for a password: at a terminal twice, and nothing that is typed is shown; from anything else the first line that
 * comes. Never an argument, which every program of the machine could read.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
    if (line === '') throw new StartError('No password came on standard input. --generate makes one up.');
    return line;
  }
  const password = await ask('Password: ');
  if ((await ask('Once more: ')) !== password)
    throw new StartError('The two are not the same. Nothing was changed.');
  return password;
}

async function ask(question: string): Promise<string> {
  const { stdin } = process;
  process.stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    let typed: string[] = [];
    for await (const keys of stdin.iterator({ destroyOnReturn: false })) {
      for (const key of String(keys)) {
        if (ENTER.test(key)) return typed.join('');
        if (BREAK_OFF.includes(key)) throw new StartError('Broken off. Nothing was changed.');
        typed = ERASE.includes(key) ? typed.slice(0, -1) : [...typed, key];
      }
    }
    throw new StartError('Broken off. Nothing was changed.');
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}
