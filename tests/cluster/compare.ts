import pg from 'pg';
import { z } from 'zod';
import { connectPostgres } from '../../src/server/db/postgres/open-postgres.ts';
import { verifyChain } from '../../src/server/history/verify-chain.ts';
import type { Entry } from './ledger.ts';

export interface Difference {
  /** Acknowledged writes that are missing. */
  lost: string[];
  /** Writes that are stored or recorded in the history more than once. */
  duplicated: string[];
}

const studentSnapshot = z.object({ reason: z.string() });
const marksColumn = z.array(z.number());

/** Compares the acknowledged writes with the database. Call it only while the writers are paused. */
export async function compare(url: string, entries: readonly Entry[]): Promise<Difference> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const stored = await readStored(client);
    const difference: Difference = { lost: [], duplicated: [] };
    const latest = new Map<string, Entry>();
    const uploads = new Map<string, number>();
    for (const entry of entries) {
      const times = stored.changes.get(getKey(entry)) ?? 0;
      if (times === 0 && entry.isAcknowledged) difference.lost.push(`${getKey(entry)}: not in the history`);
      if (times > 1) difference.duplicated.push(`${getKey(entry)}: ${times} times`);
      if (entry.kind === 'marks') uploads.set(entry.id, (uploads.get(entry.id) ?? 0) + 1);
      else latest.set(entry.id, entry);
    }
    for (const [id, { mark, isAcknowledged }] of latest) {
      const reason = stored.students.get(id);
      if (reason !== mark && isAcknowledged)
        difference.lost.push(`student ${id} has the reason "${reason}", not "${mark}"`);
    }
    for (const [id, count] of uploads) {
      const recorded = stored.uploads.get(id) ?? 0;
      if (recorded < count)
        difference.lost.push(`course ${id}: ${recorded} of ${count} uploads in the history`);
      if (recorded > count)
        difference.duplicated.push(`course ${id}: ${recorded} of ${count} uploads in the history`);
    }
    return difference;
  } finally {
    await client.end();
  }
}

/** A description of the first fault in the chain of the history, `undefined` if it is intact. */
export async function findHistoryFault(url: string): Promise<string | undefined> {
  const { db, close } = await connectPostgres(url);
  try {
    return (await verifyChain(db)).fault;
  } finally {
    await close();
  }
}

const getKey = ({ kind, id, mark }: Pick<Entry, 'kind' | 'id' | 'mark'>) => `${kind} ${id} "${mark}"`;

async function readStored(client: pg.Client) {
  const changes = new Map<string, number>();
  const uploads = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  const history = await client.query<{ action: string; entity: string; entity_id: string; after: string }>(
    `select action, entity, entity_id, after from history where entity in ('student', 'marks')`,
  );
  for (const { action, entity, entity_id: id, after } of history.rows) {
    if (entity === 'marks') count(uploads, id);
    else {
      const mark = studentSnapshot.parse(JSON.parse(after)).reason;
      count(changes, getKey({ kind: action === 'create' ? 'create' : 'edit', id, mark }));
    }
  }
  const uploadedMarks = await client.query<{ course_id: string; marks: string }>(
    'select course_id, marks from course_marks',
  );
  for (const { course_id: id, marks: text } of uploadedMarks.rows) {
    for (const mark of marksColumn.parse(JSON.parse(text)))
      count(changes, getKey({ kind: 'marks', id, mark: `${mark}` }));
  }
  const students = await client.query<{ id: string; reason: string }>('select id, reason from students');
  return { changes, uploads, students: new Map(students.rows.map(({ id, reason }) => [id, reason])) };
}
