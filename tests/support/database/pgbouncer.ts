import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findUserIds, freePort, type PostgresServer } from './postgres.ts';

/** The program; undefined if not installed. */
export const pgBouncer = (): string | undefined =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']
    .map((folder) => path.join(folder, 'pgbouncer'))
    .find((file) => existsSync(file));

type PoolMode = 'session' | 'transaction' | 'statement';

/** A pooler in front of a PostgreSQL server, with the settings that PgBouncer has by itself but for its mode. */
export class PgBouncer {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #port: number;

  private constructor(process: ChildProcess, folder: string, port: number) {
    this.#process = process;
    this.#folder = folder;
    this.#port = port;
  }

  static async start(
    server: PostgresServer,
    mode: PoolMode,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<PgBouncer> {
    const program = pgBouncer();
    if (program === undefined) throw new Error('There is no PgBouncer on this machine.');
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-pgbouncer-'));
    // The pooler refuses to run as root.
    const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? findUserIds('postgres') : {};
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
    const port = await freePort();
    const own = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      ...settings,
    };
    const file = path.join(folder, 'pgbouncer.ini');
    await writeFile(
      file,
      [
        '[databases]',
        `* = host=127.0.0.1 port=${server.port} user=sims`,
        '[pgbouncer]',
        `pool_mode = ${mode}`,
        ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
        '',
      ].join('\n'),
    );
    const started = spawn(program, [file], { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await ready(started);
    return new PgBouncer(started, folder, port);
  }

  url(database = 'postgres'): string {
    return `postgres://sims@127.0.0.1:${this.#port}/${database}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    // At once, whoever is connected.
    this.#process.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function ready(pooler: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    pooler.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes('process up')) resolve();
    });
    pooler.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}.\n${output}`)));
  });
}
