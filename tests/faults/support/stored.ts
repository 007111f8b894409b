import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { courseShowReply } from '../../../src/contract/courses.ts';
import { recordReply, studentBaseReply } from '../../../src/contract/students/students.ts';
import { loadSqliteEngine } from '../../../src/server/db/sqlite/engine.ts';
import { Api, registerUser } from '../../support/api.ts';
import type { Server } from '../../support/processes/server.ts';
import type { Content } from './ledger.ts';

/** Reads the content of a key of the ledger through the API. */
export const storedOn =
  (api: Api) =>
  async (key: string): Promise<Content> => {
    const [kind, id] = key.split('/');
    return patiently(() => (kind === 'course' ? courseOn(api, `${id}`) : studentOn(api, `${id}`)));
  };

/** Retries, since the server may refuse requests on a busy machine. */
async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === 60) throw error;
      await sleep(500);
    }
  }
}

async function studentOn(api: Api, id: string): Promise<Content> {
  const base = await api.send('GET', `/api/students/${id}/base`);
  const text = await base.text();
  if (base.status === 404) return null;
  if (!base.ok) throw new Error(`${id} answered ${base.status}: ${text}`);
  const { student } = studentBaseReply.parse(JSON.parse(text));
  const record = recordReply.parse(await api.get(`/api/students/${id}`));
  const results = (record?.academics ?? []).map(({ semester, subject_1, sgpa, cgpa }) => {
    return { semester, title: subject_1, sgpa, cgpa };
  });
  return { student, family: record?.family ?? null, results };
}

async function courseOn(api: Api, id: string): Promise<Content> {
  const { course } = courseShowReply.parse(await api.get(`/api/courses/${id}`));
  return course === undefined ? null : { count: course.marks_count, average: course.average };
}

/** The result of SQLite's integrity check of a database file, which may be in use; `ok` if it is intact. */
export async function checked(
  file: string,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): Promise<string> {
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    const rows = [
      ...database.prepare(`pragma ${check}`).all(),
      ...database.prepare('pragma foreign_key_check').all(),
    ];
    return rows
      .map((row) => z.record(z.string(), z.unknown()).parse(row))
      .map((row) => Object.values(row).join())
      .join('; ');
  } finally {
    database.close();
  }
}

/** An account on a server. */
export const registerPatiently = (server: Server) => patiently(() => registerUser(server.url));

/** The API of a server as a newly registered user. */
export async function registerOn(server: Server): Promise<Api> {
  const { token } = await registerPatiently(server);
  return new Api(server.url, token);
}

export const isHealthy = async (server: Server) => (await readHealth(server)) === 200;

export async function readHealth(server: Server): Promise<number> {
  const answer = await fetch(`${server.url}/api/health`);
  await answer.arrayBuffer();
  return answer.status;
}
