import { sql } from 'kysely';
import { searchTerms } from '../../domain/search-text.ts';
import { listedRows } from '../db/dialect.ts';
import type { Db } from '../db/schema.ts';
import { factsOf, type Listing, listingOf } from '../students/listing.ts';
import { pagesOfIds } from './pages-of-ids.ts';

/** What the list of students is sorted, filtered and searched by, against the records that it is worked out from. */
export async function* driftedListings(db: Db): AsyncGenerator<string> {
  let expected = 0;
  let missing = 0;
  for await (const ids of pagesOfIds(db)) {
    const terms: { term: string; student_id: string }[] = [];
    for (const { row, hasFamily, semesters } of await factsOf(db, ids)) {
      const listing = listingOf(row, hasFamily, semesters);
      const names = Object.keys(listing) as (keyof Listing)[];
      const drifted = names.filter((name) => row[name] !== listing[name]);
      if (drifted.length > 0)
        yield `Student ${row.id}: ${drifted.join(', ')} in the list are not as on the record.`;
      for (const term of new Set(searchTerms(listing.search_text))) terms.push({ term, student_id: row.id });
    }
    expected += terms.length;
    const wanted = listedRows(db, terms, { term: 'text', student_id: 'text' });
    const { rows } = await sql<{ term: string; student_id: string }>`
      select w.term, w.student_id from ${wanted} w where not exists
        (select 1 from student_terms t where t.term = w.term and t.student_id = w.student_id)`.execute(db);
    missing += rows.length;
    for (const { term, student_id } of rows) yield `Student ${student_id}: is not found by "${term}".`;
  }
  const { count } = await db
    .selectFrom('student_terms')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const surplus = Number(count) - (expected - missing);
  if (surplus > 0) yield `${surplus} words find students whose records do not have them.`;
}
