import { sql } from 'kysely';
import { brokenStorage } from '../db/dialect-tables.ts';
import type { Db } from '../db/schema.ts';
import type { Head } from '../history/chain.ts';
import { verifyChain } from '../history/verify-chain.ts';
import { wrongAverages } from './averages.ts';
import { wrongCounts } from './counts.ts';
import { wrongStatistics } from './course-statistics.ts';
import { driftedListings } from './listings.ts';
import { wrongPictures } from './pictures.ts';

/** One thing that must hold of a database, whatever happened to it. */
export interface Check {
  title: string;
  /** What does not hold, a line each. */
  faults: (db: Db, noted?: Head) => AsyncIterable<string>;
  /** It is worked out from the records, and can be worked out anew. */
  isRepairable?: true;
}

/** In this order; each sees one and the same state. */
export const CHECKS: readonly Check[] = [
  { title: 'Storage and references', faults: brokenStorage },
  { title: 'Grade point averages', faults: wrongAverages },
  { title: 'Statistics of courses', faults: wrongStatistics },
  { title: 'Pictures', faults: wrongPictures },
  { title: 'Chain of the history', faults: brokenChain },
  { title: 'List of students', faults: driftedListings, isRepairable: true },
  { title: 'Counts', faults: wrongCounts, isRepairable: true },
];

async function* brokenChain(db: Db, noted?: Head): AsyncGenerator<string> {
  const { fault } = await verifyChain(db, noted);
  if (fault !== undefined) yield fault;
}

/** Faults of one check that are named; of the others there is the number. */
const NAMED = 20;

/**
 * Runs every check, and answers those that found something.
 *
 * @param noted the head of the history's chain as it was noted before
 */
export async function verify(db: Db, tell: (line: string) => void, noted?: Head): Promise<Check[]> {
  const failed: Check[] = [];
  for (const check of CHECKS) {
    let faults = 0;
    for await (const fault of readable(db, check.faults(db, noted))) {
      faults += 1;
      if (faults <= NAMED) tell(`${check.title}: ${fault}`);
    }
    if (faults > NAMED) tell(`${check.title}: and ${(faults - NAMED).toLocaleString('en')} more.`);
    if (faults === 0) tell(`${check.title}: in order`);
    else failed.push(check);
  }
  return failed;
}

/** What can't be read is a fault, not the end of the other checks. */
async function* readable(db: Db, faults: AsyncIterable<string>): AsyncGenerator<string> {
  // A transaction in which one statement has failed may answer no other, unless it goes back to before that.
  if (db.isTransaction) await sql`savepoint before_check`.execute(db);
  try {
    yield* faults;
  } catch (error) {
    if (db.isTransaction) await sql`rollback to savepoint before_check`.execute(db).catch(() => {});
    yield `can't be read to the end: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
