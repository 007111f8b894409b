import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { aKeyLine } from '../../../tests/support/secret-keys.ts';
import { readSettings, SettingsError } from './settings.ts';

type Env = Record<string, string | undefined>;

/** The messages about all faults in an environment. */
function findFaults(env: Env): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

describe('settings', () => {
  test.each(['Asia/Karachi', ':Asia/Karachi', 'UTC', 'Etc/GMT-5', 'EST5EDT', ''])(
    'take the time zone "%s"',
    (TZ) => {
      expect(findFaults({ TZ })).toEqual([]);
    },
  );

  test.each(['Nowhere/Land', 'asia/karachi', 'Asia/karachi', '/etc/localtime', 'Karachi', '+05:00'])(
    'refuse the time zone "%s", for which the dates would be those of UTC',
    (TZ) => {
      expect(findFaults({ TZ })).toEqual([
        `TZ must be the name of a time zone such as Asia/Karachi, not "${TZ}".`,
      ]);
    },
  );

  test('have default values when variables are missing or blank', () => {
    const defaults = {
      host: '127.0.0.1',
      port: 3000,
      database: { readUrl: undefined, connections: 10, statementTimeout: 15_000 },
      dataDir: path.resolve('data'),
      backup: { dir: path.resolve('data/backups'), every: undefined, keep: 14 },
      registration: { kind: 'open' },
      publicUrl: undefined,
      smtpUrl: undefined,
      provider: undefined,
      trustedProxies: [],
      twoFactorRoles: [],
      secretKeys: [],
      loginLimit: 10,
      requestLimit: 0,
      heavyCalls: { upload: 2, preview: 2, print: 1, perPerson: 1 },
      session: { idle: 1_800_000, lifetime: 43_200_000 },
      logLevel: 'info',
      logFile: undefined,
    };
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings({ HOST: ' ', PORT: '', SIMS_DATA_DIR: '', LOG_LEVEL: '  ' })).toEqual(defaults);
  });

  test('are read from the environment', () => {
    const settings = readSettings({
      HOST: '0.0.0.0',
      PORT: '0',
      SIMS_DATA_DIR: '/var/lib/sims',
      SIMS_BACKUP_DIR: '/backup',
      SIMS_BACKUP_EVERY: '0.5',
      SIMS_BACKUP_KEEP: '3',
      SIMS_REGISTRATION: 'domains:Example.edu, x.example',
      SIMS_PUBLIC_URL: 'https://sims.example.edu',
      SIMS_SMTP_URL: 'smtps://user:secret@mail.example.edu',
      SIMS_TRUST_PROXY: '10.0.0.0/8, ::1',
      SIMS_LOGIN_LIMIT: '5',
      SIMS_REQUEST_LIMIT: '300',
      SIMS_UPLOADS: '8',
      SIMS_HEAVY_PER_PERSON: '3',
      SIMS_SESSION_IDLE: '0.5',
      SIMS_SESSION_LIFETIME: '60',
      SIMS_METRICS_TOKEN: 'abcdefgh-._~+/12==',
      LOG_LEVEL: 'warn',
      SIMS_LOG_FILE: '/var/log/sims/sims.log',
    });
    expect(settings).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      dataDir: path.resolve('/var/lib/sims'),
      backup: { dir: path.resolve('/backup'), every: 1_800_000, keep: 3 },
      registration: { kind: 'domains', domains: ['example.edu', 'x.example'] },
      trustedProxies: ['10.0.0.0/8', '::1'],
      loginLimit: 5,
      requestLimit: 300,
      heavyCalls: { upload: 8, preview: 2, print: 1, perPerson: 3 },
      session: { idle: 30_000, lifetime: 3_600_000 },
      logLevel: 'warn',
      logFile: path.resolve('/var/log/sims/sims.log'),
      metricsToken: 'abcdefgh-._~+/12==',
    });
    expect(settings.publicUrl?.origin).toBe('https://sims.example.edu');
    expect(settings.smtpUrl?.host).toBe('mail.example.edu');
  });

  test('report all faults together, in one line each', () => {
    const env = {
      PORT: 'many',
      SIMS_REGISTRATION: 'maybe',
      SIMS_PUBLIC_URL: 'sims',
      SIMS_TRUST_PROXY: 'everybody',
      SIMS_LOGIN_LIMIT: '0',
      LOG_LEVEL: 'loud',
    };
    const faults = findFaults(env);
    expect(faults.map((fault) => fault.split(' ', 1)[0]).sort()).toEqual(Object.keys(env).sort());
    for (const fault of faults) expect(fault).not.toContain('\n');
    expect(() => readSettings(env)).toThrow(faults.join('\n'));
  });

  test.for<[string, string]>([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['SIMS_LOGIN_LIMIT', '0'],
    ['SIMS_LOGIN_LIMIT', '-5'],
    ['SIMS_LOGIN_LIMIT', '2.5'],
    ['SIMS_LOGIN_LIMIT', 'Infinity'],
    ['SIMS_REQUEST_LIMIT', '-1'],
    ['SIMS_REQUEST_LIMIT', '0.5'],
    ['SIMS_PRINTS', '0'],
    ['SIMS_SESSION_IDLE', '0'],
    ['SIMS_SESSION_LIFETIME', 'NaN'],
    ['SIMS_REGISTRATION', 'domains:'],
    ['SIMS_REGISTRATION', 'domains:*'],
    ['SIMS_REGISTRATION', 'domains:@example.edu'],
    ['SIMS_REGISTRATION', 'OPEN'],
    ['SIMS_REGISTRATION', 'approval:example.edu'],
    ['SIMS_TRUST_PROXY', 'true'],
    ['SIMS_TRUST_PROXY', '10.0.0.0/33'],
    ['SIMS_TRUST_PROXY', '10.0.0.1,proxy.example'],
    ['SIMS_TRUST_PROXY', '::1/129'],
    ['SIMS_SMTP_URL', 'mail.example.edu'],
    ['SIMS_SMTP_URL', 'https://mail.example.edu'],
    ['SIMS_SMTP_URL', 'smtp://'],
    ['SIMS_SMTP_URL', 'smtp:mail.example.edu'],
    ['DATABASE_URL', ''],
    ['DATABASE_URL', '  '],
    ['DATABASE_URL_FILE', ''],
    ['SIMS_BACKUP_EVERY', '0'],
    ['SIMS_BACKUP_EVERY', 'daily'],
    ['SIMS_BACKUP_KEEP', '0'],
    ['SIMS_METRICS_TOKEN', 'fifteen-letters'],
    ['SIMS_METRICS_TOKEN', 'sixteen and more, with spaces'],
    ['SIMS_METRICS_TOKEN_FILE', '/no/such/file'],
    ['LOG_LEVEL', 'verbose'],
    ['DATABASE_URL', 'mysql://db/sims'],
    ['DATABASE_URL', 'postgres://db'],
    ['DATABASE_URL', 'postgres://db/'],
    ['DATABASE_URL', 'postgres://db/sims?sslmode=bogus'],
    ['DATABASE_URL', 'postgres://db/sims?sslmode=require&sslmode='],
  ])('reject %s=%s', ([name, value]) => {
    const faults = findFaults({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} must `));
  });

  test.for([
    ['SIMS_DATABASE_POOL', '0'],
    ['SIMS_DATABASE_POOL', '2.5'],
    ['SIMS_DATABASE_TIMEOUT', '0'],
  ] as const)('reject %s=%s with a database server', ([name, value]) => {
    const faults = findFaults({ DATABASE_URL: 'postgres://db/sims', [name]: value });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} must `))]);
  });

  test('use DATABASE_URL_FILE when DATABASE_URL is empty', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-settings-'));
    const file = path.join(folder, 'database');
    writeFileSync(file, 'postgres://127.0.0.1/sims');
    expect(readSettings({ DATABASE_URL: '', DATABASE_URL_FILE: file }).databaseUrl).toBe(
      'postgres://127.0.0.1/sims',
    );
    rmSync(folder, { recursive: true });
  });

  test.for(['p#w', 'p/w', 'p?w', '1#w', '1/w', '1?w', 'p@s/w'])(
    'explain how to encode the password %s in an address, without repeating it',
    (password) => {
      const DATABASE_URL = `postgres://sims:${password}@127.0.0.1:5432/sims`;
      expect(findFaults({ DATABASE_URL })).toEqual([
        expect.stringMatching(
          /^DATABASE_URL must be postgres:\/\/<user>.+password percent-encoded: %23 for #/,
        ),
      ]);
      expect(findFaults({ DATABASE_URL }).join()).not.toContain(password);
      const encoded = `postgresql://sims:${encodeURIComponent(password)}@127.0.0.1:5432/sims?sslmode=verify-full`;
      expect(readSettings({ DATABASE_URL: encoded })).toMatchObject({ databaseUrl: encoded });
    },
  );

  test.for<[string, string]>([
    ['postgres://db.example.edu/sims', 'postgres://db.example.edu/sims?sslmode=verify-full'],
    [
      'postgres://10.0.0.7/sims?sslrootcert=/ca.pem',
      'postgres://10.0.0.7/sims?sslrootcert=%2Fca.pem&sslmode=verify-full',
    ],
    ['postgres://db/sims?sslmode=disable', 'postgres://db/sims?sslmode=disable'],
    ['postgres://127.0.0.1:5432/sims', 'postgres://127.0.0.1:5432/sims'],
    ['postgres://[::1]/sims', 'postgres://[::1]/sims'],
    ['postgres://localhost/sims', 'postgres://localhost/sims'],
    ['postgres:///sims?host=/run/postgresql', 'postgres:///sims?host=/run/postgresql'],
    ['postgres:///sims?host=db.example.edu', 'postgres:///sims?host=db.example.edu&sslmode=verify-full'],
  ])('encrypt the connection to another machine unless told not to: %s', ([DATABASE_URL, databaseUrl]) => {
    expect(readSettings({ DATABASE_URL })).toMatchObject({ databaseUrl });
  });

  test.for([
    'ftp://sims.example.edu',
    'sims.example.edu',
    'javascript:alert(1)',
    'https://example.edu/sims',
    'https://example.edu?sims',
    'https://example.edu/#sims',
    'https://user:secret@example.edu',
  ])('reject SIMS_PUBLIC_URL=%s', (SIMS_PUBLIC_URL) => {
    const faults = findFaults({ SIMS_PUBLIC_URL, SIMS_REGISTRATION: 'open' });
    expect(faults).toEqual([expect.stringMatching(/^SIMS_PUBLIC_URL must /)]);
  });

  test('never repeat the password of a mail server or a token in a message', () => {
    const faults = findFaults({
      SIMS_SMTP_URL: 'http://user:secret@mail.example.edu',
      SIMS_METRICS_TOKEN: 'secret',
    });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('secret');
  });

  test('read secrets from files', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-settings-'));
    try {
      const inFile = (name: string, text: string) => {
        writeFileSync(path.join(folder, name), text);
        return path.join(folder, name);
      };
      const env = {
        DATABASE_URL_FILE: inFile('database', 'postgres://sims:secret@db/sims\n'),
        SIMS_SMTP_URL_FILE: inFile('smtp', 'smtp://mail.example.edu\n'),
        SIMS_METRICS_TOKEN_FILE: inFile('token', 'abcdefgh12345678\n'),
      };
      expect(readSettings(env)).toMatchObject({
        databaseUrl: 'postgres://sims:secret@db/sims?sslmode=verify-full',
        smtpUrl: new URL('smtp://mail.example.edu'),
        metricsToken: 'abcdefgh12345678',
      });
      const twice = findFaults({ ...env, DATABASE_URL: 'postgres://db/other' });
      expect(twice).toEqual([expect.stringMatching(/^DATABASE_URL must not be set beside/)]);
      // An empty file must not select the embedded database.
      const empty = findFaults({ DATABASE_URL_FILE: inFile('empty', ' \n') });
      expect(empty).toEqual([expect.stringMatching(/^DATABASE_URL_FILE must name a file with text/)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('read the keys that encrypt keys from a file, of which no fault repeats anything', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-settings-'));
    const file = path.join(folder, 'secret-keys');
    const faultsOf = (text: string, mode = 0o600) => {
      writeFileSync(file, text);
      chmodSync(file, mode);
      return findFaults({ SIMS_SECRET_KEY_FILE: file });
    };
    const [first, second] = [aKeyLine(), aKeyLine()];
    try {
      expect(readSettings({}).secretKeys).toEqual([]);
      expect(faultsOf(`\n${first.line}\r\n\n ${second.line}\n`, 0o640)).toEqual([]);
      const { secretKeys } = readSettings({ SIMS_SECRET_KEY_FILE: file });
      expect(secretKeys.map(({ id }) => id)).toEqual([first.id, second.id]);
      expect(JSON.stringify(secretKeys)).not.toContain(first.line.slice(0, 8));

      const lineFault = (line: number) => [
        `SIMS_SECRET_KEY_FILE must name a file of keys (openssl rand -base64 32); line ${line} is none.`,
      ];
      expect(faultsOf(`${first.line}\n${second.line.slice(4)}`)).toEqual(lineFault(2));
      expect(faultsOf(`${first.line}${second.line}`)).toEqual(lineFault(1));
      expect(faultsOf('a'.repeat(64))).toEqual(lineFault(1));
      expect(faultsOf(` \n`)).toEqual([
        expect.stringMatching(/^SIMS_SECRET_KEY_FILE must .+ with a key in it: /),
      ]);
      const missing = findFaults({ SIMS_SECRET_KEY_FILE: first.line });
      expect(missing).toEqual(['SIMS_SECRET_KEY_FILE must name a file that this user can read.']);
      expect(findFaults({ SIMS_SECRET_KEY_FILE: folder })).toHaveLength(1);
      if (process.platform === 'win32') return;
      expect(faultsOf(first.line, 0o644)).toEqual([
        'SIMS_SECRET_KEY_FILE must name a file that not every user of this machine can read: chmod 600.',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.for<[string, Env]>([
    ['HOST is the IPv4 wildcard address', { HOST: '0.0.0.0' }],
    ['HOST is an address in the local network', { HOST: '192.168.1.5' }],
    ['HOST is a name that only starts like a loopback address', { HOST: '127.example.com' }],
    ['HOST is the IPv6 wildcard address', { HOST: '::' }],
    ['SIMS_PUBLIC_URL is set', { SIMS_PUBLIC_URL: 'https://sims.example.edu' }],
  ])('require SIMS_REGISTRATION when %s', ([, env]) => {
    expect(findFaults(env)).toEqual([expect.stringMatching(/^SIMS_REGISTRATION must be set/)]);
    for (const SIMS_REGISTRATION of ['open', 'closed', 'approval']) {
      expect(findFaults({ ...env, SIMS_REGISTRATION })).toEqual([]);
    }
  });

  test('require a mail server for registration by email domain', () => {
    const env = { SIMS_REGISTRATION: 'domains:example.edu' };
    expect(findFaults(env)).toEqual([
      'SIMS_SMTP_URL must be set with SIMS_REGISTRATION=domains:…: a mailed link verifies addresses.',
    ]);
    expect(findFaults({ ...env, SIMS_SMTP_URL: 'smtp://mail.example.edu' })).toEqual([]);
    expect(readSettings({ SIMS_REGISTRATION: 'approval' }).registration).toEqual({ kind: 'approval' });
  });

  test.for(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('open registration by default on %s', (HOST) => {
    expect(readSettings({ HOST }).registration).toEqual({ kind: 'open' });
  });
});

describe('settings of a sign-in provider', () => {
  const whole = {
    SIMS_OIDC_ISSUER: 'https://id.example.edu/realm',
    SIMS_OIDC_CLIENT_ID: 'sims',
    SIMS_OIDC_CLIENT_SECRET: 'secret',
  };

  test('are read, with a default name', () => {
    const provider = { issuer: new URL(whole.SIMS_OIDC_ISSUER), clientId: 'sims', clientSecret: 'secret' };
    expect(readSettings(whole).provider).toEqual({ ...provider, name: 'id.example.edu' });
    expect(readSettings({ ...whole, SIMS_OIDC_NAME: 'Campus' }).provider?.name).toBe('Campus');
    expect(readSettings({ ...whole, SIMS_OIDC_ISSUER: 'http://127.0.0.1:9' }).provider).toBeDefined();
  });

  test.each<[string, Env, string]>([
    ['no client', { SIMS_OIDC_CLIENT_ID: '' }, 'SIMS_OIDC_CLIENT_ID must be set with SIMS_OIDC_ISSUER.'],
    [
      'no secret',
      { SIMS_OIDC_CLIENT_SECRET: '' },
      'SIMS_OIDC_CLIENT_SECRET must be set with SIMS_OIDC_ISSUER.',
    ],
    [
      'no issuer',
      { SIMS_OIDC_ISSUER: '' },
      'SIMS_OIDC_ISSUER must be set with the other SIMS_OIDC_… settings.',
    ],
    [
      'an issuer without HTTPS',
      { SIMS_OIDC_ISSUER: 'http://id.example.edu' },
      'SIMS_OIDC_ISSUER must start with https://: what it says decides who is let in.',
    ],
    [
      'no URL to return to',
      { PORT: '0' },
      'SIMS_PUBLIC_URL must be set with SIMS_OIDC_ISSUER: the provider leads back there.',
    ],
  ])('are refused with %s', (_, changes, fault) => {
    expect(findFaults({ ...whole, ...changes })).toEqual([fault]);
  });
});
