import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerOn } from '../../support/stored.ts';
import { strace, traced } from '../../support/tools.ts';

const WRITERS = 8;
const WRITES = 104;

const getStudentId = (i: number) => `SYNC-${String(i).padStart(4, '0')}`;

export const synced: Scenario = {
  name: 'synced',
  fault: `Each write of ${WRITERS} writers is synced to the disk between its commit and its acknowledgement (system calls followed)`,
  run: async (findings) => {
    if (strace === undefined) return findings.skip('strace is missing and cannot be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-strace-'));
    try {
      const api = await registerOn(server);
      const output = path.join(scratch, 'calls');
      const calls = 'trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg';
      const trace = await traced(server.pid ?? 0, ['-y', '-x', '-s', '8192', '-e', calls, '-o', output]);
      let next = 0;
      const writeSome = async () => {
        while (next < WRITES) {
          const id = getStudentId(next);
          next += 1;
          const answer = await api.send('POST', '/api/students', aStudent({ id }));
          await answer.arrayBuffer();
          findings.must(answer.status === 201, `${id} answers 201, not ${answer.status}`);
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, writeSome));
      await trace.end();

      const { commits, syncs, answers } = await readTrace(output);
      let unsynced = 0;
      for (let i = 0; i < WRITES; i += 1) {
        const id = getStudentId(i);
        const commit = commits.find(({ content }) => content.includes(id));
        const answer = answers.find(({ content }) => content.includes(id));
        findings.must(commit !== undefined && answer !== undefined, `the trace shows the commit of ${id}`);
        const [from, to] = [commit?.line ?? 0, answer?.line ?? 0];
        if (!syncs.some(({ begin, end }) => begin > from && end < to)) unsynced += 1;
      }
      findings.must(
        unsynced === 0,
        `a sync begins after each commit and ends before its acknowledgement, but not for ${unsynced}`,
      );
      findings.must(syncs.length <= WRITES, `${WRITES} acknowledged with ${syncs.length} syncs`);
      findings.report(
        `${WRITES} acknowledged, ${commits.length} commits, ${syncs.length} syncs of the log, ${unsynced} acknowledgements without one since the commit`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

interface Trace {
  /** The line after which all pages of the commit are in the log. */
  commits: { line: number; content: string }[];
  syncs: { begin: number; end: number }[];
  answers: { line: number; content: string }[];
}

/** Bytes of the header of a page in the log; its second number is not zero in the last page of a commit. */
const FRAME_HEADER_BYTES = 24;

const decode = (text = '') =>
  text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text);

/** Reads the output of strace, in which a call that takes longer is on two lines. */
async function readTrace(file: string): Promise<Trace> {
  const trace: Trace = { commits: [], syncs: [], answers: [] };
  const syncsByThread = new Map<string, number>();
  let [pages, isLastPage] = ['', false];
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    line += 1;
    const [, thread = '', call = ''] = /^(\d+)\s+(.*)$/s.exec(text) ?? [];
    const written = /^pwrite64\(\d+<[^>]*sims\.db-wal>, "([^"]*)"/.exec(call);
    if (written !== null) {
      const bytes = decode(written[1]);
      if (bytes.length === FRAME_HEADER_BYTES) isLastPage = bytes.readUInt32BE(4) !== 0;
      else pages += bytes.toString('latin1');
      if (bytes.length > FRAME_HEADER_BYTES && isLastPage) {
        // Written when the call returns.
        trace.commits.push({ line: call.includes('<unfinished') ? Infinity : line, content: pages });
        [pages, isLastPage] = ['', false];
      }
    } else if (call.startsWith('<... pwrite64 resumed>')) {
      const last = trace.commits.at(-1);
      if (last !== undefined) last.line = Math.min(last.line, line);
    } else if (/^(fsync|fdatasync)\(\d+<[^>]*sims\.db-wal>/.test(call)) {
      if (call.includes('<unfinished')) syncsByThread.set(thread, line);
      else if (/= 0$/.test(call)) trace.syncs.push({ begin: line, end: line });
    } else if (/^<\.\.\. (fsync|fdatasync) resumed>/.test(call)) {
      const begin = syncsByThread.get(thread);
      if (begin !== undefined && /= 0$/.test(call)) trace.syncs.push({ begin, end: line });
      syncsByThread.delete(thread);
    } else if (/^(write|writev|sendto|sendmsg)\(.*"HTTP\/1\.1 201/.test(call)) {
      trace.answers.push({ line, content: call });
    }
  }
  return trace;
}
