import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StudentListItem, studentPageReply } from '../../../src/contract/students/student-list.ts';
import type { ListCall } from '../list-calls.ts';

const SCRIPT = fileURLToPath(new URL('./bare-list-server.ts', import.meta.url));
const rows = studentPageReply.pick({ students: true });

/** Runs the baseline of the list, `bare-list-server.ts`, in its own process. */
export class BareList {
  readonly origin: string;
  readonly #calls: readonly ListCall[];
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(origin: string, calls: readonly ListCall[], child: ChildProcess, folder: string) {
    this.origin = origin;
    this.#calls = calls;
    this.#process = child;
    this.#folder = folder;
  }

  static async start(dataDir: string, calls: readonly ListCall[]): Promise<BareList> {
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-'));
    const file = path.join(folder, 'calls.json');
    await writeFile(file, JSON.stringify(calls.map(({ bare }) => bare)));
    const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, path.join(dataDir, 'sims.db'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    const origin = `http://127.0.0.1:${String(line).trim().split(' ').at(-1)}`;
    return new BareList(origin, calls, child, folder);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The baseline's paths for the same requests in the same order. */
  toPaths(call: ListCall): string[] {
    return call.paths.map((_, variation) => `/${this.#calls.indexOf(call)}/${variation}`);
  }

  /** The rows that it reads for the first variation. */
  async readRows(call: ListCall): Promise<StudentListItem[]> {
    const answer: unknown = await (await fetch(this.origin + this.toPaths(call)[0])).json();
    return rows.parse(answer).students;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
