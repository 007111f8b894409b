import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { readDatabaseAddress } from './database-address.ts';

export type Registration = { kind: 'open' } | { kind: 'closed' } | { kind: 'domains'; domains: string[] };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ProviderSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** What people call it. */
  name: string;
}

export interface Settings {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** A PostgreSQL server's database; undefined: the embedded one in the data folder. */
  databaseUrl: string | undefined;
  /** How this process uses that server. */
  database: {
    /** Address of a server that follows it, for lists, exports and insights. */
    readUrl: string | undefined;
    /** Connections at most, to each of the two. */
    connections: number;
    /** Milliseconds that a statement may take. */
    statementTimeout: number;
  };
  /** Absolute path. */
  dataDir: string;
  backup: {
    /** Folder of backups, an absolute path; undefined: none but those that somebody asks for by name. */
    dir: string | undefined;
    /** Milliseconds from one scheduled backup to the next; undefined: there are none. */
    every: number | undefined;
    /** Scheduled ones that are kept. */
    keep: number;
  };
  registration: Registration;
  /** Origin under which browsers reach the product, when it is not the listening address. */
  publicUrl: URL | undefined;
  /** Mail server for recovery links; without one there is no recovery. */
  smtpUrl: URL | undefined;
  /** An OpenID provider that people can sign in with; without one they have passwords alone. */
  provider: ProviderSettings | undefined;
  /** Addresses or networks whose `X-Forwarded-For` counts; empty: nobody's. */
  trustedProxies: string[];
  /** Failed sign-ins per account and address in 15 minutes. */
  loginLimit: number;
  /** Requests of one session, or else address, in 10 seconds, to each process; 0: any number. */
  requestLimit: number;
  session: {
    /** Milliseconds without a call after which a session ends. */
    idle: number;
    /** Milliseconds after sign-in when it ends in any case. */
    lifetime: number;
  };
  logLevel: LogLevel;
  /** What a collector of measurements sends; without one there are none. */
  metricsToken: string | undefined;
}

/** Thrown with every fault found, one line each. */
export class SettingsError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Decides the settings from the environment. All faults are reported at once. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const given = (name: string) => env[name]?.trim() || undefined;

  // A secret may stand in a file instead, so that it is in no list of processes and no description of a container.
  const secret = (name: string) => {
    const file = given(`${name}_FILE`);
    if (file === undefined) return given(name);
    if (given(name) !== undefined) faults.push(`${name} must not be set beside ${name}_FILE.`);
    const text = textOf(file);
    if (text === undefined) faults.push(`${name}_FILE must name a file with text in it, not "${file}".`);
    return text;
  };

  const number = (name: string, fallback: number, min: number, max: number, whole = true) => {
    const text = given(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    const legal =
      Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value));
    if (!legal)
      faults.push(`${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not "${text}".`);
    return value;
  };

  const host = given('HOST') ?? '127.0.0.1';
  const publicUrl = readUrl('SIMS_PUBLIC_URL', given('SIMS_PUBLIC_URL'), ['http:', 'https:'], faults);
  const smtpUrl = readUrl('SIMS_SMTP_URL', secret('SIMS_SMTP_URL'), ['smtp:', 'smtps:'], faults);

  if (smtpUrl !== undefined && publicUrl === undefined && (!isLoopback(host) || given('PORT') === '0')) {
    faults.push('SIMS_PUBLIC_URL must be set with SIMS_SMTP_URL: mailed links lead there.');
  }

  const provider = readProvider(given, secret, faults);
  if (provider !== undefined && publicUrl === undefined && (!isLoopback(host) || given('PORT') === '0')) {
    faults.push('SIMS_PUBLIC_URL must be set with SIMS_OIDC_ISSUER: the provider leads back there.');
  }

  const registrationText = given('SIMS_REGISTRATION');
  if (registrationText === undefined && (!isLoopback(host) || publicUrl !== undefined)) {
    faults.push(
      'SIMS_REGISTRATION must be set (open, closed or domains:…) when HOST is not loopback or SIMS_PUBLIC_URL is set.',
    );
  }

  const trustedProxies = (given('SIMS_TRUST_PROXY') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  for (const proxy of trustedProxies.filter((candidate) => !isAddressOrNetwork(candidate))) {
    faults.push(`SIMS_TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not "${proxy}".`);
  }

  const logLevelText = given('LOG_LEVEL') ?? 'info';
  const logLevel = LOG_LEVELS.find((level) => level === logLevelText);
  if (logLevel === undefined)
    faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevelText}".`);

  const minutes = (name: string, fallback: number) => number(name, fallback, 0.01, 525_600, false) * 60_000;

  const databaseUrl = readDatabase('DATABASE_URL', secret('DATABASE_URL'), faults);
  const followerUrl = readDatabase('DATABASE_READ_URL', secret('DATABASE_READ_URL'), faults);
  if (followerUrl !== undefined && databaseUrl === undefined) {
    faults.push('DATABASE_URL must be set with DATABASE_READ_URL: it is where changes go.');
  }
  const dataDir = resolve(given('SIMS_DATA_DIR') ?? './data');
  const backupDir =
    given('SIMS_BACKUP_DIR') ?? (databaseUrl === undefined ? join(dataDir, 'backups') : undefined);
  const hours = number('SIMS_BACKUP_EVERY', 0, 0.0001, 8_760, false);
  if (hours > 0 && backupDir === undefined) {
    faults.push('SIMS_BACKUP_DIR must be set with SIMS_BACKUP_EVERY when the data is on a server.');
  }

  const settings: Settings = {
    host,
    port: number('PORT', 3000, 0, 65_535),
    databaseUrl,
    database: {
      readUrl: followerUrl,
      connections: number('SIMS_DATABASE_POOL', 10, 1, 1_000),
      statementTimeout: number('SIMS_DATABASE_TIMEOUT', 15, 0.1, 3_600, false) * 1_000,
    },
    dataDir,
    backup: {
      dir: backupDir === undefined ? undefined : resolve(backupDir),
      every: hours > 0 ? hours * 3_600_000 : undefined,
      keep: number('SIMS_BACKUP_KEEP', 14, 1, 100_000),
    },
    registration: readRegistration(registrationText, faults),
    publicUrl,
    smtpUrl,
    provider,
    trustedProxies,
    loginLimit: number('SIMS_LOGIN_LIMIT', 10, 1, 1_000_000),
    requestLimit: number('SIMS_REQUEST_LIMIT', 0, 0, 1_000_000),
    session: { idle: minutes('SIMS_SESSION_IDLE', 30), lifetime: minutes('SIMS_SESSION_LIFETIME', 720) },
    logLevel: logLevel ?? 'info',
    metricsToken: readToken('SIMS_METRICS_TOKEN', secret('SIMS_METRICS_TOKEN'), faults),
  };
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

function readProvider(
  given: (name: string) => string | undefined,
  secret: (name: string) => string | undefined,
  faults: string[],
): ProviderSettings | undefined {
  const issuer = readUrl('SIMS_OIDC_ISSUER', given('SIMS_OIDC_ISSUER'), ['https:', 'http:'], faults);
  const clientId = given('SIMS_OIDC_CLIENT_ID');
  const clientSecret = secret('SIMS_OIDC_CLIENT_SECRET');
  if (issuer === undefined) {
    if ((clientId ?? clientSecret ?? given('SIMS_OIDC_NAME')) !== undefined) {
      faults.push('SIMS_OIDC_ISSUER must be set with the other SIMS_OIDC_… settings.');
    }
    return undefined;
  }
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname)) {
    faults.push('SIMS_OIDC_ISSUER must start with https://: what it says decides who is let in.');
  }
  if (clientId === undefined) faults.push('SIMS_OIDC_CLIENT_ID must be set with SIMS_OIDC_ISSUER.');
  if (clientSecret === undefined) faults.push('SIMS_OIDC_CLIENT_SECRET must be set with SIMS_OIDC_ISSUER.');
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: given('SIMS_OIDC_NAME') ?? issuer.hostname };
}

function readUrl(
  name: string,
  text: string | undefined,
  protocols: string[],
  faults: string[],
): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && protocols.includes(url.protocol)) return url;
  // The address of a mail server may hold a password, so it is not repeated.
  faults.push(
    `${name} must be an address that starts with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
  );
  return undefined;
}

function readDatabase(name: string, text: string | undefined, faults: string[]): string | undefined {
  if (text === undefined) return undefined;
  const read = readDatabaseAddress(text);
  if ('href' in read) return read.href;
  faults.push(`${name} ${read.fault}`);
  return undefined;
}

/** Only what an `Authorization` header can carry as it is. Never repeated in what is said of it. */
function readToken(name: string, text: string | undefined, faults: string[]): string | undefined {
  if (text !== undefined && !/^[\w.~+/=-]{16,}$/.test(text)) {
    faults.push(`${name} must have at least 16 characters, each a letter, a digit or one of - . _ ~ + / =.`);
  }
  return text;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function readRegistration(text: string | undefined, faults: string[]): Registration {
  if (text === undefined || text === 'open') return { kind: 'open' };
  if (text === 'closed') return { kind: 'closed' };
  if (text.startsWith('domains:')) {
    const domains = text
      .slice('domains:'.length)
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter(Boolean);
    if (domains.length > 0 && domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))) {
      return { kind: 'domains', domains };
    }
  }
  faults.push(`SIMS_REGISTRATION must be open, closed or domains:example.edu,…, not "${text}".`);
  return { kind: 'closed' };
}
