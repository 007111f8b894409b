import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Folder of the PostgreSQL programs; undefined if not installed. */
export const postgresPrograms = () => process.env.POSTGRES_BIN || usualFolder();

interface Options {
  /** Additional server settings. */
  settings?: Readonly<Record<string, string>>;
  /** Lines of `pg_hba.conf`: allowed clients and their authentication. */
  access?: readonly string[];
}

/** A PostgreSQL server for tests, on a free local port and in its own folder. */
export class PostgresServer {
  readonly folder: string;
  readonly port: number;
  readonly #programs: string;
  readonly #owner: { uid?: number; gid?: number };
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  private constructor(
    folder: string,
    port: number,
    programs: string,
    owner: { uid?: number; gid?: number },
    settings: Readonly<Record<string, string>>,
  ) {
    this.folder = folder;
    this.port = port;
    this.#programs = programs;
    this.#owner = owner;
    this.#settings = settings;
  }

  static async start({ settings = {}, access }: Options = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(settings);
    server.#run('initdb', [
      '-D',
      server.data,
      '-U',
      'sims',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ]);
    if (access !== undefined) {
      await writeFile(path.join(server.data, 'pg_hba.conf'), access.map((line) => `${line}\n`).join(''));
    }
    await server.start();
    return server;
  }

  static async #prepare(settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
    const programs = postgresPrograms();
    if (programs === undefined) throw new Error('There is no PostgreSQL on this machine.');
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-postgres-'));
    // The server refuses to run as root.
    const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? findUserIds('postgres') : {};
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
    return new PostgresServer(folder, await freePort(), programs, owner, settings);
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  /** The URL of one of its databases. */
  url(database = 'postgres'): string {
    return `postgres://sims@127.0.0.1:${this.port}/${database}`;
  }

  /** The same over its Unix socket, which takes less CPU time than a network connection. */
  localUrl(database?: string): string {
    const url = new URL(this.url(database));
    url.hostname = encodeURIComponent(this.folder);
    return url.href;
  }

  /** Starts a read replica of this server. */
  async follow(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const replica = await PostgresServer.#prepare(settings);
    const source = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'sims'];
    replica.#run('pg_basebackup', [...source, '-D', replica.data, '-R', '-X', 'stream', '-c', 'fast']);
    await replica.start();
    return replica;
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: this.folder,
      max_connections: '400',
      ...this.#settings,
    };
    const server = spawn(
      path.join(this.#programs, 'postgres'),
      ['-D', this.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...this.#owner, cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#process = server;
    await ready(server);
  }

  /** Shuts it down cleanly without waiting for connected clients. */
  async stop(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    signal('SIGCONT', findProcesses(server));
    await ended;
  }

  /** Kills all its processes, as a power cut would. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server === undefined) return;
    this.#process = undefined;
    const ended = once(server, 'exit');
    signal('SIGKILL', findProcesses(server));
    await ended;
  }

  /** Suspends every process of the server until `resume`: connections are accepted but not answered. */
  hang(): void {
    // The main process first, because it starts the others.
    signal('SIGSTOP', findProcesses(this.#process));
    signal('SIGSTOP', findProcesses(this.#process));
  }

  resume(): void {
    signal('SIGCONT', findProcesses(this.#process));
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[]): void {
    execFileSync(path.join(this.#programs, program), args, {
      ...this.#owner,
      cwd: this.folder,
      stdio: 'ignore',
    });
  }
}

/** Used when Vitest is run directly; `npm test` searches more folders and installs PostgreSQL if allowed. */
function usualFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => path.join(root, version, 'bin'))
    .find((folder) => existsSync(path.join(folder, 'initdb')));
}

export function findUserIds(user: string): { uid: number; gid: number } {
  const id = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (/ready to accept (read-only )?connections/.test(output)) resolve();
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}.\n${output}`)));
  });
}

/** The main process of a server and its child processes. */
function findProcesses({ pid: first }: Pick<ChildProcess, 'pid'> = {}): number[] {
  if (first === undefined) return [];
  const started = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === first);
  return [first, ...started.map(([pid = 0]) => pid)];
}

function signal(name: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has already ended.
    }
  }
}
