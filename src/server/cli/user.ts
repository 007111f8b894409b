import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ROLES, type Role } from '../../contract/accounts/accounts.ts';
import { resetPassword } from '../accounts/credentials/set-password.ts';
import { findUserByEmail, hasSecondFactor } from '../accounts/queries.ts';
import { resetSecondFactor } from '../accounts/two-factor/two-factor.ts';
import { endAllSessions, setLocked, setRole } from '../accounts/users/admin-actions.ts';
import { createUser, prepareUser } from '../accounts/users/create-user.ts';
import { openDatabase } from '../backup/open-database.ts';
import { getLocation } from '../db/location.ts';
import type { Db } from '../db/schema.ts';
import { transact } from '../history/transaction.ts';
import { readCheckedSettings } from '../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import { type CommandDatabase, openForCommand } from '../transfer/open-for-command.ts';
import { isInstalled } from '../transfer/open-read-only.ts';
import { COMMAND_LINE_AUTHOR, type Command } from './command.ts';
import { print } from './print.ts';

/** Keys as a terminal in raw mode sends them. */
const ENTER = /[\r\n]/;
const ERASE = ['\u007f', '\b'];
const CANCEL = ['\u0003', '\u0004'];

/**
 * Reads a password: at a terminal it is typed twice and not shown, otherwise it is the first line of standard input. Never an
 * argument, which every process of the machine could read.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
    if (line === '') throw new StartError('Standard input has no password. --generate creates one.');
    return line;
  }
  const password = await ask('Password: ');
  if ((await ask('Repeat: ')) !== password)
    throw new StartError('The passwords differ. Nothing was changed.');
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
        if (CANCEL.includes(key)) throw new StartError('Cancelled. Nothing was changed.');
        typed = ERASE.includes(key) ? typed.slice(0, -1) : [...typed, key];
      }
    }
    throw new StartError('Cancelled. Nothing was changed.');
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}

const HELP = `Manages accounts. The server may be running.

  ${SIMS_COMMAND} user list [--json]
  ${SIMS_COMMAND} user create --name "Asad Khan" --email asad@example.edu [--role staff] [--generate]
  ${SIMS_COMMAND} user set-role asad@example.edu viewer
  ${SIMS_COMMAND} user reset-password asad@example.edu [--generate]
  ${SIMS_COMMAND} user revoke-tokens asad@example.edu
  ${SIMS_COMMAND} user reset-second-factor asad@example.edu
  ${SIMS_COMMAND} user lock asad@example.edu          (and: unlock)

  --role <role>    admin, staff, viewer or teacher. By default the first account is an administrator, others are staff.
  --generate       Creates a password and shows it once. Otherwise it is asked for, or read from standard input.

Resetting a password or second factor, revoking tokens and locking sign the person out everywhere. The last administrator
can't be locked or lose the role. The history names "Command line" as the author.

Exit code 0 when done, 1 when refused or failed.`;

const OPTIONS = {
  name: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  generate: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Given = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

interface Action {
  /** Number of positional arguments. */
  operands: number;
  options: readonly (keyof typeof OPTIONS)[];
  run(db: CommandDatabase, given: Given, operands: readonly string[]): Promise<void>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: {
    operands: 0,
    options: ['json'],
    run: async ({ read }, { json }) => {
      const users = await read
        .selectFrom('users')
        .select(['id', 'name', 'email', 'role', 'created_at', 'locked_at', 'waiting_for'])
        .orderBy('id')
        .execute();
      for (const user of users) print(json ? JSON.stringify(user) : formatAccount(user));
    },
  },
  create: {
    operands: 0,
    options: ['name', 'email', 'role', 'generate'],
    run: async ({ write }, { name, email, role, generate }) => {
      if (name === undefined || email === undefined)
        throw new StartError('Both --name and --email are required.');
      const isFirst = (await write.selectFrom('users').select('id').limit(1).execute()).length === 0;
      const password = await getPassword(generate);
      const prepared = {
        ...(await prepareUser(write, { name, email, password })),
        role: readRole(role ?? (isFirst ? 'admin' : 'staff')),
      };
      const user = await transact(write, (tx) => createUser(tx, COMMAND_LINE_AUTHOR, prepared));
      print(`Created account ${user.id} for ${user.email} (${user.role}).`);
      if (generate) print(`Password: ${password}`);
    },
  },
  'set-role': {
    operands: 2,
    options: [],
    run: async ({ write }, _, [who = '', role = '']) => {
      const { id, email } = await requireAccount(write, who);
      await transact(write, (tx) => setRole(tx, COMMAND_LINE_AUTHOR, id, readRole(role)));
      print(`${email} now has the role ${role}.`);
    },
  },
  'reset-password': {
    operands: 1,
    options: ['generate'],
    run: async ({ write }, { generate }, [who = '']) => {
      const owner = await requireAccount(write, who);
      const password = await getPassword(generate);
      const { password_hash } = await prepareUser(write, { ...owner, password });
      await transact(write, (tx) => resetPassword(tx, COMMAND_LINE_AUTHOR, owner, password_hash));
      print(`The password of ${owner.email} was set, and all sessions were ended.`);
      if (generate) print(`Password: ${password}`);
    },
  },
  'revoke-tokens': {
    operands: 1,
    options: [],
    run: async ({ write }, _, [who = '']) => {
      const { id, email } = await requireAccount(write, who);
      await transact(write, (tx) => endAllSessions(tx, COMMAND_LINE_AUTHOR, id));
      print(`${email} is signed out everywhere.`);
    },
  },
  'reset-second-factor': {
    operands: 1,
    options: [],
    run: async ({ write }, _, [who = '']) => {
      const { id, email } = await requireAccount(write, who);
      const hadFactor = await hasSecondFactor(write, id);
      await transact(write, (tx) => resetSecondFactor(tx, COMMAND_LINE_AUTHOR, id));
      print(
        hadFactor
          ? `The second factor of ${email} was removed, and all sessions were ended.`
          : `${email} has no second factor.`,
      );
    },
  },
  lock: lockAs(true),
  unlock: lockAs(false),
};

function lockAs(locked: boolean): Action {
  return {
    operands: 1,
    options: [],
    run: async ({ write }, _, [who = '']) => {
      const { id, email } = await requireAccount(write, who);
      await transact(write, (tx) => setLocked(tx, COMMAND_LINE_AUTHOR, id, locked));
      print(`${email} is ${locked ? 'locked' : 'unlocked'}.`);
    },
  };
}

/** `sims user` */
export const user: Command = {
  summary: 'Lists, creates and manages accounts',
  help: HELP,
  run: async (args, env) => {
    const { values, positionals } = parse(args);
    const [name = '', ...operands] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw new StartError(`Name an action: user ${Object.keys(ACTIONS).join('|')}. Details: user --help`);
    }
    const other = Object.keys(values).find((option) => !action.options.some((own) => own === option));
    if (other !== undefined) throw new StartError(`user ${name} has no option --${other}.`);
    if (operands.length !== action.operands)
      throw new StartError(`Wrong arguments for "user ${name}": see user --help`);
    const settings = readCheckedSettings(env, console.warn);
    // The first account may be created before the first start.
    const isNew = name === 'create' && !(await isInstalled(getLocation(settings)));
    const db = isNew ? await openDatabase(settings) : await openForCommand(settings);
    try {
      await action.run(db, values, operands);
      return 0;
    } finally {
      await db.close();
    }
  },
};

async function requireAccount(db: Db, who: string) {
  const found = await findUserByEmail(db, who);
  if (found === undefined) throw new StartError(`There is no account for ${who}.`);
  return found;
}

function readRole(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (role === undefined) throw new StartError(`The role must be ${ROLES.join(', ')}, not "${text}".`);
  return role;
}

const getPassword = async (generate: boolean | undefined) =>
  generate ? randomBytes(15).toString('base64url') : readPassword();

interface Listed {
  id: number;
  name: string;
  email: string;
  role: Role;
  locked_at: string | null;
  waiting_for: string | null;
}

const formatAccount = ({ id, name, email, role, locked_at, waiting_for }: Listed) =>
  `${String(id).padStart(5)}  ${role.padEnd(7)}  ${email}  ${name}${locked_at === null ? '' : '  (locked)'}${
    waiting_for === null ? '' : `  (waits for ${waiting_for})`
  }`;
