import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ROLES, type Role } from '../../contract/accounts.ts';
import { createAccount, endAllSessions, setPassword, setRole } from '../accounts/administer.ts';
import { setLocked } from '../accounts/lock.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { hasSecondFactor, resetSecondFactor } from '../accounts/second-factor.ts';
import { isThere } from '../db/copy/open-unchanged.ts';
import { placeOf } from '../db/copy/place.ts';
import { openDatabase } from '../db/open.ts';
import { type Beside, openBeside } from '../db/open-beside.ts';
import type { Db } from '../db/schema.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { COMMAND_LINE } from './author.ts';
import type { Command } from './commands.ts';
import { readPassword } from './read-password.ts';

const HELP = `Looks after accounts, while the server runs or not.

  npm run sims -- user list [--json]
  npm run sims -- user create --name "Asad Khan" --email asad@example.edu [--role staff] [--generate]
  npm run sims -- user set-role asad@example.edu viewer
  npm run sims -- user reset-password asad@example.edu [--generate]
  npm run sims -- user revoke-tokens asad@example.edu
  npm run sims -- user reset-second-factor asad@example.edu
  npm run sims -- user lock asad@example.edu          (and: unlock)

  --role <role>    admin, staff or viewer. Without it the first account is an administrator's, others are staff.
  --generate       Makes a password up and shows it, this once. Otherwise it is asked for, or read from standard input.

A password or second factor that is reset, tokens that are revoked and a lock sign the person out everywhere. Nobody can take the last
administrator's role away or lock them. The history names "Command line" as the author.

Ends with 0 when it is done, with 1 when it was refused or failed.`;

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
  /** What stands behind its name, beside options. */
  operands: number;
  options: readonly (keyof typeof OPTIONS)[];
  run(db: Beside, given: Given, operands: readonly string[]): Promise<void>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: {
    operands: 0,
    options: ['json'],
    run: async ({ read }, { json }) => {
      const users = await read
        .selectFrom('users')
        .select(['id', 'name', 'email', 'role', 'created_at', 'locked_at'])
        .orderBy('id')
        .execute();
      for (const user of users) console.log(json ? JSON.stringify(user) : lineOf(user));
    },
  },
  create: {
    operands: 0,
    options: ['name', 'email', 'role', 'generate'],
    run: async ({ write }, { name, email, role, generate }) => {
      if (name === undefined || email === undefined) throw new StartError('Give both: --name and --email.');
      const isFirst = (await write.selectFrom('users').select('id').limit(1).execute()).length === 0;
      const password = await passwordFor(generate);
      const user = await createAccount(write, COMMAND_LINE, {
        name,
        email,
        password,
        role: readRole(role ?? (isFirst ? 'admin' : 'staff')),
      });
      console.log(`Made the account ${user.id} of ${user.email} (${user.role}).`);
      if (generate) console.log(`Password: ${password}`);
    },
  },
  'set-role': {
    operands: 2,
    options: [],
    run: async ({ write }, _, [who = '', role = '']) => {
      const { id, email } = await account(write, who);
      await setRole(write, COMMAND_LINE, id, readRole(role));
      console.log(`${email} is ${role} now.`);
    },
  },
  'reset-password': {
    operands: 1,
    options: ['generate'],
    run: async ({ write }, { generate }, [who = '']) => {
      const { id, email } = await account(write, who);
      const password = await passwordFor(generate);
      await setPassword(write, COMMAND_LINE, id, password);
      console.log(`The password of ${email} is set, and every session ended.`);
      if (generate) console.log(`Password: ${password}`);
    },
  },
  'revoke-tokens': {
    operands: 1,
    options: [],
    run: async ({ write }, _, [who = '']) => {
      const { id, email } = await account(write, who);
      await endAllSessions(write, COMMAND_LINE, id);
      console.log(`${email} is signed out everywhere.`);
    },
  },
  'reset-second-factor': {
    operands: 1,
    options: [],
    run: async ({ write }, _, [who = '']) => {
      const { id, email } = await account(write, who);
      const isThere = await hasSecondFactor(write, id);
      await resetSecondFactor(write, COMMAND_LINE, id);
      console.log(
        isThere
          ? `${email} signs in by the password alone now, and is signed out everywhere.`
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
      const { id, email } = await account(write, who);
      await setLocked(write, COMMAND_LINE, id, locked);
      console.log(`${email} is ${locked ? 'locked' : 'not locked any more'}.`);
    },
  };
}

/** Accounts, by whoever runs the installation. */
export const user: Command = {
  summary: 'Lists, makes and looks after accounts',
  help: HELP,
  run: async (args, env) => {
    const { values, positionals } = parse(args);
    const [name = '', ...operands] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw new StartError(`Say what to do: user ${Object.keys(ACTIONS).join('|')}. More: user --help`);
    }
    const other = Object.keys(values).find((option) => !action.options.some((own) => own === option));
    if (other !== undefined) throw new StartError(`user ${name} has no option --${other}.`);
    if (operands.length !== action.operands)
      throw new StartError(`See how "user ${name}" is written: user --help`);
    const settings = readSettings(env);
    // The first account of all may be made before the first start.
    const isNew = name === 'create' && !(await isThere(placeOf(settings)));
    const db = isNew ? await openDatabase(settings) : await openBeside(settings);
    try {
      await action.run(db, values, operands);
      return 0;
    } finally {
      await db.close();
    }
  },
};

async function account(db: Db, who: string) {
  const found = await findUserByEmail(db, who);
  if (found === undefined) throw new StartError(`There is no account of ${who}.`);
  return found;
}

function readRole(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (role === undefined) throw new StartError(`The role must be ${ROLES.join(', ')}, not "${text}".`);
  return role;
}

const passwordFor = async (generate: boolean | undefined) =>
  generate ? randomBytes(15).toString('base64url') : readPassword();

interface Listed {
  id: number;
  name: string;
  email: string;
  role: Role;
  locked_at: string | null;
}

const lineOf = ({ id, name, email, role, locked_at }: Listed) =>
  `${String(id).padStart(5)}  ${role.padEnd(6)}  ${email}  ${name}${locked_at === null ? '' : '  (locked)'}`;
