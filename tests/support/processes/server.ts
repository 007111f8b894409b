import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));
const READY = /^SIMS listening on (http:\/\/127\.0\.0\.1:\d+)$/m;
const READY_WITHIN_MS = 120_000;

type Environment = Record<string, string>;

/** The output of the child process is piped. */
const STDIO: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];

/** Keeps the developer's own settings away from the tested server. */
function environment(dataDir: string, port: number, settings: Environment): Environment {
  const { PATH = '', SystemRoot } = process.env;
  return {
    PATH,
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    SIMS_DATA_DIR: dataDir,
    ...settings,
  };
}

/** The exit code of a server that is asked to end. Windows has no such signals: there they end it at once, which loses nothing either. */
export const ENDED_IN_ORDER = process.platform === 'win32' ? null : 0;

/** The built product in its own process, on a free port and with its own data folder. */
export class Server {
  readonly dataDir: string;
  /** Standard output and standard error of all processes so far. */
  logs = '';
  #url = '';
  #process: ChildProcess | undefined;
  readonly #settings: Environment;

  private constructor(dataDir: string, settings: Environment) {
    this.dataDir = dataDir;
    this.#settings = settings;
  }

  /** Starts the server, on a new data folder by default, and waits until it is ready. */
  static async start(settings: Environment = {}, dataDir?: string): Promise<Server> {
    const folder = dataDir ?? (await mkdtemp(path.join(tmpdir(), 'sims-server-')));
    const server = new Server(folder, settings);
    await server.#launch(0);
    return server;
  }

  /** Starts a server that should refuse to start; returns exit code and output. Kills it when it is ready or after `patience` ms. */
  static async refused(
    dataDir: string,
    settings: Environment = {},
    patience = READY_WITHIN_MS,
  ): Promise<{ code: number; output: string }> {
    const child = spawn(process.execPath, [MAIN], { env: environment(dataDir, 0, settings), stdio: STDIO });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    let output = '';
    const read = (chunk: string) => {
      output += chunk;
      if (READY.test(output)) child.kill('SIGKILL');
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    const [code] = await once(child, 'close');
    clearTimeout(timer);
    return { code: typeof code === 'number' ? code : Number.NaN, output: output.trim() };
  }

  get url(): string {
    return this.#url;
  }

  /** The running process's id. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async #launch(port: number): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: environment(this.dataDir, port, this.#settings),
      stdio: STDIO,
    });
    this.#process = child;
    let output = '';
    this.#url = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}\n${output}`));
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail('The server was not ready in time.');
      }, READY_WITHIN_MS);
      const read = (chunk: string) => {
        output += chunk;
        this.logs += chunk;
        const url = READY.exec(output)?.[1];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url);
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        this.logs += `The process ended with ${signal ?? code}.\n`;
        fail(`The server ended with ${signal ?? code} before it was ready.`);
      });
    });
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = await exited;
    return typeof code === 'number' ? code : null;
  }

  /** Sends SIGTERM, waits for the exit and returns the exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Sends a signal and does not wait; {@link stop} waits for the exit. */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Ends the process with SIGKILL, as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Restarts on the same data folder and port, so that open pages can reconnect. */
  async restart(): Promise<void> {
    await this.stop();
    await this.#launch(Number(new URL(this.#url).port));
  }

  /** Stops and removes the data folder. */
  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
