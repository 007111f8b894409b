import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** Held in memory at once. */
const PAGE = 50;
const ADDRESS = '/api/pictures/';
/** An address and the SHA-256 in it. */
const LENGTH = ADDRESS.length + 64;

/** Pictures are what their names say, and those that records show are there. */
export async function* wrongPictures(db: Db): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const page = await db
      .selectFrom('pictures')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const { id, data } of page) {
      if (createHash('sha256').update(data).digest('hex') !== id)
        yield `Picture ${id}: is not what was stored.`;
    }
    const end = page.at(-1);
    if (end === undefined) break;
    last = end.id;
  }
  for (const [table, column, who] of [
    ['students', 'img', 'Student'],
    ['users', 'picture', 'User'],
  ] as const) {
    const shown = sql.ref(column);
    const { rows } = await sql<{ id: string | number }>`
      select id from ${sql.table(table)} where length(${shown}) = ${LENGTH} and ${shown} like ${`${ADDRESS}%`}
        and not exists (select 1 from pictures p where p.id = substr(${shown}, ${ADDRESS.length + 1}))
      order by id`.execute(db);
    for (const { id } of rows) yield `${who} ${id}: the picture is not there.`;
  }
}
