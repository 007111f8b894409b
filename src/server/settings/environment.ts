import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { ROLES } from '../../contract/accounts/accounts.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { isLoopback } from './loopback.ts';
import { readSecretKeys } from './secret-keys.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Registration =
  | { kind: 'open' }
  | { kind: 'closed' }
  /** An administrator approves each account. */
  | { kind: 'approval' }
  /** For emails of these domains, verified by a mailed link. */
  | { kind: 'domains'; domains: string[] };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const textVariable = () => z.string().optional();

function numberVariable<Fallback extends number | undefined>(
  fallback: Fallback,
  { min, max, whole = true }: { min: number; max: number; whole?: boolean },
) {
  const isLegal = (text: string) => {
    const value = Number(text);
    return Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value));
  };
  return z
    .string()
    .refine(isLegal, {
      error: ({ input }) => `must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not "${input}".`,
    })
    .transform(Number)
    .optional()
    .transform((value) => value ?? fallback);
}

const minutesVariable = (fallback: number) =>
  numberVariable(fallback, { min: 0.01, max: 525_600, whole: false });

/** The address of a mail server may contain a password, so the message does not repeat it. */
const urlVariable = (...protocols: string[]) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && protocols.includes(url.protocol)) return url;
    const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
    context.addIssue(`must be an address that starts with ${starts}.`);
    return z.NEVER;
  });

const databaseVariable = () =>
  z
    .string()
    .transform((text, context) => {
      const parsed = parseDatabaseUrl(text);
      if ('href' in parsed) return parsed.href;
      context.addIssue(parsed.fault);
      return z.NEVER;
    })
    .optional();

const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const registrationVariable = () =>
  z
    .string()
    .transform((text, context): Registration => {
      if (text === 'open' || text === 'closed' || text === 'approval') return { kind: text };
      const list = text.startsWith('domains:') ? text.slice('domains:'.length) : '';
      const domains = splitList(list.toLowerCase());
      if (domains.length > 0 && domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))) {
        return { kind: 'domains', domains };
      }
      context.addIssue(`must be open, closed, approval or domains:example.edu,…, not "${text}".`);
      return z.NEVER;
    })
    .optional();

/** Whether the name is that of a zone, in the spelling in which the process takes it. Otherwise the dates would be those of UTC. */
function isTimeZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Every environment variable that the program reads. A message continues the name of its variable. */
const VARIABLES = {
  HOST: textVariable(),
  PORT: numberVariable(3000, { min: 0, max: 65_535 }),
  /** Node.js itself reads it. */
  TZ: z
    .string()
    .refine((name) => isTimeZone(name.replace(/^:/, '')), {
      error: ({ input }) => `must be the name of a time zone such as Asia/Karachi, not "${input}".`,
    })
    .optional(),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: ({ input }) => `must be one of ${LOG_LEVELS.join(', ')}, not "${input}".` })
    .default('info'),
  SIMS_LOG_FILE: textVariable(),
  DATABASE_URL: databaseVariable(),
  DATABASE_READ_URL: databaseVariable(),
  SIMS_DATABASE_POOL: numberVariable(10, { min: 1, max: 1_000 }),
  /** Seconds. */
  SIMS_DATABASE_TIMEOUT: numberVariable(15, { min: 0.1, max: 3_600, whole: false }),
  SIMS_DATA_DIR: textVariable(),
  SIMS_BACKUP_DIR: textVariable(),
  /** Hours. */
  SIMS_BACKUP_EVERY: numberVariable(undefined, { min: 0.0001, max: 8_760, whole: false }),
  SIMS_BACKUP_KEEP: numberVariable(14, { min: 1, max: 100_000 }),
  SIMS_REGISTRATION: registrationVariable(),
  // Every path that the server answers and every link that it sends starts at the root of the host.
  SIMS_PUBLIC_URL: urlVariable('http:', 'https:')
    .refine(
      (url) => url.href === `${url.origin}/`,
      'must have no path, query, fragment or password: https://sims.example.edu, for SIMS is served from the root of its host.',
    )
    .optional(),
  SIMS_SMTP_URL: urlVariable('smtp:', 'smtps:')
    .refine((url) => url.hostname !== '', 'must name a host: smtp://<user>:<password>@<host>:<port>.')
    .optional(),
  SIMS_OIDC_ISSUER: urlVariable('https:', 'http:')
    .refine(
      (url) => url.protocol === 'https:' || isLoopback(url.hostname),
      'must start with https://: what it says decides who is let in.',
    )
    .optional(),
  SIMS_OIDC_CLIENT_ID: textVariable(),
  SIMS_OIDC_CLIENT_SECRET: textVariable(),
  SIMS_OIDC_NAME: textVariable(),
  SIMS_TRUST_PROXY: z
    .string()
    .transform(splitList)
    .pipe(
      z.array(
        z.string().refine(isAddressOrNetwork, {
          error: ({ input }) => `must list addresses or networks such as 10.0.0.0/8, not "${input}".`,
        }),
      ),
    )
    .default([]),
  SIMS_TWO_FACTOR_ROLES: z
    .string()
    .transform(splitList)
    .pipe(
      z.array(
        z.enum(ROLES, { error: ({ input }) => `must list roles (${ROLES.join(', ')}), not "${input}".` }),
      ),
    )
    .default([]),
  SIMS_SECRET_KEY_FILE: z
    .string()
    .transform((file, context) => {
      const keys = readSecretKeys(file);
      if (!('fault' in keys)) return keys;
      context.addIssue(keys.fault);
      return z.NEVER;
    })
    .default([]),
  SIMS_LOGIN_LIMIT: numberVariable(10, { min: 1, max: 1_000_000 }),
  SIMS_REQUEST_LIMIT: numberVariable(0, { min: 0, max: 1_000_000 }),
  SIMS_UPLOADS: numberVariable(2, { min: 1, max: 1_000 }),
  SIMS_PREVIEWS: numberVariable(2, { min: 1, max: 1_000 }),
  SIMS_PRINTS: numberVariable(1, { min: 1, max: 1_000 }),
  SIMS_HEAVY_PER_PERSON: numberVariable(1, { min: 1, max: 1_000 }),
  SIMS_SESSION_IDLE: minutesVariable(30),
  SIMS_SESSION_LIFETIME: minutesVariable(720),
  // What an `Authorization` header can carry. The message never repeats it.
  SIMS_METRICS_TOKEN: z
    .string()
    .regex(
      /^[\w.~+/=-]{16,}$/,
      'must have at least 16 characters, each a letter, a digit or one of - . _ ~ + / =.',
    )
    .optional(),
};
type SettingName = keyof typeof VARIABLES;

/** These may be in a file named by `<name>_FILE`, so that no list of processes or containers shows them. */
const SECRET_NAMES: readonly SettingName[] = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'SIMS_METRICS_TOKEN',
  'SIMS_OIDC_CLIENT_SECRET',
  'SIMS_SMTP_URL',
];

export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(VARIABLES),
  ...SECRET_NAMES.map((name) => `${name}_FILE`),
];

export type Variables = z.output<z.ZodObject<typeof VARIABLES>>;

/** A rule across variables, reported for one of them. It is checked even if single variables have faults. */
const rule = (name: SettingName, message: string) => ({ path: [name], error: message, when: () => true });

export const getHost = ({ HOST }: Variables) => HOST ?? '127.0.0.1';

/** Whether links can be made: from the public URL, or from a listening address on this machine. */
const hasKnownOrigin = (env: Variables) =>
  env.SIMS_PUBLIC_URL !== undefined || (isLoopback(getHost(env)) && Number(env.PORT) !== 0);

/** Checks all variables, single and together. */
export const environment = z
  .object(VARIABLES)
  .refine(
    (env) => env.SIMS_SMTP_URL === undefined || hasKnownOrigin(env),
    rule('SIMS_PUBLIC_URL', 'must be set with SIMS_SMTP_URL: mailed links lead there.'),
  )
  .refine(
    (env) => env.SIMS_OIDC_ISSUER === undefined || hasKnownOrigin(env),
    rule('SIMS_PUBLIC_URL', 'must be set with SIMS_OIDC_ISSUER: the provider leads back there.'),
  )
  .refine(
    ({ SIMS_OIDC_ISSUER, SIMS_OIDC_CLIENT_ID, SIMS_OIDC_CLIENT_SECRET, SIMS_OIDC_NAME }) =>
      SIMS_OIDC_ISSUER !== undefined ||
      (SIMS_OIDC_CLIENT_ID ?? SIMS_OIDC_CLIENT_SECRET ?? SIMS_OIDC_NAME) === undefined,
    rule('SIMS_OIDC_ISSUER', 'must be set with the other SIMS_OIDC_… settings.'),
  )
  .refine(
    (env) => env.SIMS_OIDC_ISSUER === undefined || env.SIMS_OIDC_CLIENT_ID !== undefined,
    rule('SIMS_OIDC_CLIENT_ID', 'must be set with SIMS_OIDC_ISSUER.'),
  )
  .refine(
    (env) => env.SIMS_OIDC_ISSUER === undefined || env.SIMS_OIDC_CLIENT_SECRET !== undefined,
    rule('SIMS_OIDC_CLIENT_SECRET', 'must be set with SIMS_OIDC_ISSUER.'),
  )
  .refine(
    (env) =>
      env.SIMS_REGISTRATION !== undefined || (isLoopback(getHost(env)) && env.SIMS_PUBLIC_URL === undefined),
    rule(
      'SIMS_REGISTRATION',
      'must be set (open, closed, approval or domains:…) when HOST is not loopback or SIMS_PUBLIC_URL is set.',
    ),
  )
  .refine(
    (env) => env.SIMS_REGISTRATION?.kind !== 'domains' || env.SIMS_SMTP_URL !== undefined,
    rule('SIMS_SMTP_URL', 'must be set with SIMS_REGISTRATION=domains:…: a mailed link verifies addresses.'),
  )
  .refine(
    (env) => env.DATABASE_READ_URL === undefined || env.DATABASE_URL !== undefined,
    rule('DATABASE_URL', 'must be set with DATABASE_READ_URL: it is where changes go.'),
  )
  .refine(
    (env) =>
      env.SIMS_BACKUP_EVERY === undefined ||
      env.SIMS_BACKUP_DIR !== undefined ||
      env.DATABASE_URL === undefined,
    rule('SIMS_BACKUP_DIR', 'must be set with SIMS_BACKUP_EVERY when the data is on a server.'),
  );

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

interface Fault {
  name: string;
  message: string;
}

/** The trimmed values, those of secrets also from their files. Blank variables count as not set. */
export function readVariables(env: Environment): { values: Record<string, string>; faults: Fault[] } {
  const given = (name: string) => env[name]?.trim() || undefined;
  const faults: Fault[] = [];
  const readSecret = (name: string) => {
    const file = given(`${name}_FILE`);
    if (file === undefined) return given(name);
    if (given(name) !== undefined)
      faults.push({ name, message: `${name} must not be set beside ${name}_FILE.` });
    const text = readText(file);
    if (text === undefined)
      faults.push({ name, message: `${name}_FILE must name a file with text in it, not "${file}".` });
    return text;
  };
  const values: Record<string, string> = {};
  for (const name of Object.keys(VARIABLES)) {
    const value = SECRET_NAMES.some((secret) => secret === name) ? readSecret(name) : given(name);
    if (value !== undefined) values[name] = value;
  }
  if (values.DATABASE_URL === undefined) {
    // An empty variable is a forgotten value: without a fault an empty database would be created in the data folder.
    for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE']) {
      if (env[name]?.trim() !== '') continue;
      faults.push({
        name: 'DATABASE_URL',
        message: `${name} must not be empty. Remove it to keep the data in SIMS_DATA_DIR.`,
      });
    }
  }
  return { values, faults };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
