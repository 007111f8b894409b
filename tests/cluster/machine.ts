import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { addressOf, Cable, type MachineName, NEIGHBOURS } from './network.ts';
import { ifSo, until } from './waiting.ts';

const inProject = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** What Patroni says of its machine. */
const status = z.object({
  state: z.string(),
  role: z.string(),
  timeline: z.int().optional(),
  replication: z
    .array(z.object({ application_name: z.string(), state: z.string(), sync_state: z.string() }))
    .default([]),
});
export type Status = z.infer<typeof status>;

/** What Patroni says of all of them. */
const cluster = z.object({ members: z.array(z.object({ name: z.string(), role: z.string() })) });

/** A machine with etcd, Patroni and PostgreSQL, set up as deploy/patroni shows it. */
export class Machine {
  readonly name: MachineName;
  readonly #folder: string;
  #boots = 0;
  #process: ChildProcess | undefined;
  #init = 0;
  #cable: Cable | undefined;

  constructor(name: MachineName, folder: string) {
    this.name = name;
    this.#folder = path.join(folder, name);
    mkdirSync(this.#folder);
    execFileSync('chown', ['postgres:', this.#folder]);
  }

  get cable(): Cable {
    if (this.#cable === undefined) throw new Error(`${this.name} is not running.`);
    return this.#cable;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  async start(): Promise<void> {
    this.#boots += 1;
    const log = openSync(path.join(this.#folder, 'machine.log'), 'a');
    const namespaces = ['--pid', '--fork', '--kill-child', '--mount-proc', '--mount', '--net'];
    const child = spawn('unshare', [...namespaces, 'sh', inProject('tests/cluster/machine.sh')], {
      cwd: this.#folder,
      env: this.#environment(),
      stdio: ['ignore', log, log],
    });
    this.#process = child;
    // The script is the only child of `unshare`.
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    this.#init = await until(
      `${this.name} starts`,
      () => Number(readFileSync(children, 'utf8')) || undefined,
    );
    const networkOf = (process: number | 'self') => readlinkSync(`/proc/${process}/ns/net`);
    await until(`${this.name} has its own network`, () => ifSo(networkOf(this.#init) !== networkOf('self')));
    this.#cable = new Cable(this.name, this.#init, this.#boots);
  }

  #environment(): NodeJS.ProcessEnv {
    const lines = readFileSync(inProject('deploy/patroni/node.example.env'), 'utf8').matchAll(
      /^(\w+)=(.*)$/gm,
    );
    const own = [...lines].map(([, key = '', value = '']) => [
      key,
      key === 'ETCD_INITIAL_CLUSTER'
        ? value
        : value.replace(/^node1$/, this.name).replace(addressOf('node1'), addressOf(this.name)),
    ]);
    return {
      PATH: process.env.PATH,
      ...Object.fromEntries(own),
      PATRONI_POSTGRESQL_DATA_DIR: path.join(this.#folder, 'postgresql'),
      ETCD_DATA_DIR: path.join(this.#folder, 'etcd'),
      PATRONI_FILE: inProject('deploy/patroni/patroni.yaml'),
      ADDRESS: addressOf(this.name),
      NEIGHBOURS,
      BOOT: `${this.#boots}`,
    };
  }

  /** As a power cut: nothing on it gets a chance to do anything. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    this.#cable = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(this.#init, 'SIGKILL');
    await ended;
  }

  /** Everything on it stands still: what it is sent arrives, and nothing is answered. */
  freeze(): void {
    this.#toAll('STOP');
  }

  /** Everything goes on as if no time had passed. */
  thaw(): void {
    this.#toAll('CONT');
  }

  #toAll(signal: string): void {
    const inside = ['--target', `${this.#init}`, '--pid', '--mount'];
    execFileSync('nsenter', [...inside, 'sh', '-c', `kill -${signal} -1`]);
  }

  /** Undefined where it does not answer. */
  status(): Promise<Status | undefined> {
    return this.#asked('patroni', status);
  }

  /** The names of those that Patroni would let take over from the primary. */
  async heirs(): Promise<string[]> {
    const { members = [] } = (await this.#asked('cluster', cluster)) ?? {};
    return members.filter(({ role }) => role === 'sync_standby').map(({ name }) => name);
  }

  async #asked<Answer>(about: string, schema: z.ZodType<Answer>): Promise<Answer | undefined> {
    try {
      const url = `http://${addressOf(this.name)}:8008/${about}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
      return schema.parse(await response.json());
    } catch {
      return undefined;
    }
  }

  /** Runs statements as PostgreSQL's administrator on the machine itself, whatever its network. */
  sql(database: string, ...statements: string[]): string {
    const inside = ['--target', `${this.#init}`, '--mount', '--net'];
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
    const commands = statements.flatMap((statement) => ['--command', statement]);
    return execFileSync('nsenter', [...inside, ...asPostgres, 'psql', '-XAtq', ...commands, database], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  isWritable(): boolean {
    try {
      return this.sql('postgres', 'select not pg_is_in_recovery()').trim() === 't';
    } catch {
      return false;
    }
  }
}
