import type { Db } from '../db/schema.ts';

/** Students looked at together. */
const PAGE = 500;

/** The ids of all students, so many at a time. */
export async function* pagesOfIds(db: Db): AsyncGenerator<string[]> {
  for (let last = ''; ; ) {
    const page = await db
      .selectFrom('students')
      .select('id')
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const end = page.at(-1);
    if (end === undefined) return;
    yield page.map(({ id }) => id);
    last = end.id;
  }
}
