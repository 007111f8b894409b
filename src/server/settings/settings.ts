import { join, resolve } from 'node:path';
import type { Role } from '../../contract/accounts/accounts.ts';
import {
  type Environment,
  environment,
  getHost,
  type LogLevel,
  type Registration,
  readVariables,
  type Variables,
} from './environment.ts';
import type { SecretKey } from './secret-keys.ts';

export interface ProviderSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Name shown on the login page. */
  name: string;
}

export interface Settings {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** A database on a PostgreSQL server; undefined: the embedded one in the data folder. */
  databaseUrl: string | undefined;
  /** How this process uses that server. */
  database: {
    /** A read replica, for lists, exports and insights. */
    readUrl: string | undefined;
    /** Maximum number, to each of the two. */
    connections: number;
    /** The limit in milliseconds. */
    statementTimeout: number;
  };
  /** Absolute path. */
  dataDir: string;
  backup: {
    /** Absolute path; undefined: backups only where a command names a file. */
    dir: string | undefined;
    /** Milliseconds between scheduled backups; undefined: none are scheduled. */
    every: number | undefined;
    /** Number of scheduled backups to keep. */
    keep: number;
  };
  registration: Registration;
  /** Origin that browsers use, if it is not the listening address. */
  publicUrl: URL | undefined;
  /** Mail server; undefined: no mail is sent. */
  smtpUrl: URL | undefined;
  /** OpenID provider; undefined: sign-in with passwords alone. */
  provider: ProviderSettings | undefined;
  /** Addresses or networks whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** Roles that may do nothing before they have set up two-factor authentication. */
  twoFactorRoles: Role[];
  /** Encrypt the keys that are stored, the first one, and decrypt them, all; none: they are stored as they are. */
  secretKeys: readonly SecretKey[];
  /** Failed sign-ins per account and client in 15 minutes. */
  loginLimit: number;
  /** Requests per session, or else per client, in 10 seconds, to each process; 0: unlimited. */
  requestLimit: number;
  /** How many calls that take much memory or time run at a time in each process. */
  heavyCalls: {
    upload: number;
    preview: number;
    print: number;
    /** Most heavy calls of each kind by one person. */
    perPerson: number;
  };
  /** Limits of sessions in milliseconds. */
  session: {
    /** Time from the last call to the end of a session. */
    idle: number;
    /** Time from sign-in to the end of a session. */
    lifetime: number;
  };
  logLevel: LogLevel;
  /** Absolute path; undefined: the log goes to standard output. */
  logFile: string | undefined;
  /** Grants access to the metrics; undefined: there are none. */
  metricsToken: string | undefined;
}

/** Every fault of the settings, one line each. */
export class SettingsError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** @throws SettingsError with all faults */
export function readSettings(env: Environment): Settings {
  const { values, faults } = readVariables(env);
  const result = environment.safeParse(values);
  // One fault of a variable is enough: a missing file should not also be reported as a missing setting.
  const known = new Set(faults.map(({ name }) => name));
  const issues = (result.error?.issues ?? []).map(({ path, message }) => ({
    name: String(path[0]),
    message: `${String(path[0])} ${message}`,
  }));
  const all = [...faults, ...issues.filter(({ name }) => !known.has(name))];
  if (result.success && all.length === 0) return toSettings(result.data);
  throw new SettingsError(all.map(({ message }) => message));
}

function toSettings(env: Variables): Settings {
  const dataDir = resolve(env.SIMS_DATA_DIR ?? './data');
  const backupDir =
    env.SIMS_BACKUP_DIR ?? (env.DATABASE_URL === undefined ? join(dataDir, 'backups') : undefined);
  return {
    host: getHost(env),
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    database: {
      readUrl: env.DATABASE_READ_URL,
      connections: env.SIMS_DATABASE_POOL,
      statementTimeout: env.SIMS_DATABASE_TIMEOUT * 1_000,
    },
    dataDir,
    backup: {
      dir: backupDir === undefined ? undefined : resolve(backupDir),
      every: env.SIMS_BACKUP_EVERY === undefined ? undefined : env.SIMS_BACKUP_EVERY * 3_600_000,
      keep: env.SIMS_BACKUP_KEEP,
    },
    registration: env.SIMS_REGISTRATION ?? { kind: 'open' },
    publicUrl: env.SIMS_PUBLIC_URL,
    smtpUrl: env.SIMS_SMTP_URL,
    provider: toProvider(env),
    trustedProxies: env.SIMS_TRUST_PROXY,
    twoFactorRoles: env.SIMS_TWO_FACTOR_ROLES,
    secretKeys: env.SIMS_SECRET_KEY_FILE,
    loginLimit: env.SIMS_LOGIN_LIMIT,
    requestLimit: env.SIMS_REQUEST_LIMIT,
    heavyCalls: {
      upload: env.SIMS_UPLOADS,
      preview: env.SIMS_PREVIEWS,
      print: env.SIMS_PRINTS,
      perPerson: env.SIMS_HEAVY_PER_PERSON,
    },
    session: { idle: env.SIMS_SESSION_IDLE * 60_000, lifetime: env.SIMS_SESSION_LIFETIME * 60_000 },
    logLevel: env.LOG_LEVEL,
    logFile: env.SIMS_LOG_FILE === undefined ? undefined : resolve(env.SIMS_LOG_FILE),
    metricsToken: env.SIMS_METRICS_TOKEN,
  };
}

function toProvider(env: Variables): ProviderSettings | undefined {
  const {
    SIMS_OIDC_ISSUER: issuer,
    SIMS_OIDC_CLIENT_ID: clientId,
    SIMS_OIDC_CLIENT_SECRET: clientSecret,
  } = env;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: env.SIMS_OIDC_NAME ?? issuer.hostname };
}
