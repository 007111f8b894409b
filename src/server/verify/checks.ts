import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { formatCount } from '../../domain/format-count.ts';
import { checkIntegrity } from '../db/dialect/catalogue.ts';
import { lostTriggers } from '../db/dialect/sql.ts';
import type { Db } from '../db/schema.ts';
import { verifyChain } from '../history/verify-chain.ts';
import { findPictureId } from '../pictures/store-picture.ts';
import { findSealingKeys, findUnopenable } from '../secrets/stored-secrets.ts';
import { accountsWithoutHistory } from './accounts-history.ts';
import type { Check, CheckContext } from './check.ts';
import { coursesWithoutHistory } from './courses-history.ts';
import { incorrectAverages, incorrectCounts, incorrectStatistics, staleIndexRows } from './derived-data.ts';
import { documentsWithoutHistory } from './documents-history.ts';
import { incorrectHolds } from './holds.ts';
import { incorrectOpenings } from './openings.ts';
import { policiesWithoutHistory } from './policies-history.ts';
import { incorrectSchemes } from './schemes.ts';
import { settingsWithoutHistory } from './settings-history.ts';
import { incorrectSheets } from './sheets.ts';
import { studentsWithoutHistory } from './students-history.ts';

/** Pictures read by one query. */
const PAGE = 50;
const ADDRESS = '/api/pictures/';
/** Length of the address of a picture, which ends in the SHA-256 of its data in hexadecimal. */
const LENGTH = ADDRESS.length + 64;

/** Finds pictures that do not match the checksum in their id, and records that refer to a missing picture. */
async function* incorrectPictures(db: Db): AsyncGenerator<string> {
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
        yield `Picture ${id}: does not match its checksum.`;
    }
    const end = page.at(-1);
    if (end === undefined) break;
    last = end.id;
  }
  for (const [table, column, who] of [
    ['students', 'img', 'Student'],
    ['users', 'picture', 'User'],
    ['institution', 'logo', 'Institution'],
  ] as const) {
    const shown = sql.ref(column);
    const { rows } = await sql<{ id: string | number; shown: string }>`
      select id, ${shown} shown from ${sql.table(table)}
      where length(${shown}) = ${LENGTH} and substr(${shown}, 1, ${ADDRESS.length}) = ${ADDRESS}
        and not exists (select 1 from pictures p where p.id = substr(${shown}, ${ADDRESS.length + 1}))
      order by id`.execute(db);
    for (const { id, shown } of rows) {
      // The field may also contain text that is not the address of a picture.
      if (findPictureId(shown) !== undefined) yield `${who} ${id}: the picture is missing.`;
    }
  }
}

const OWNERS = { 'signing_keys.private_key': 'Signing key', 'second_factors.secret': 'Account' } as const;

/** Finds keys that can't be decrypted. */
async function* unopenableKeys(db: Db, { secrets, note }: CheckContext): AsyncGenerator<string> {
  if (secrets === undefined) {
    const needed = await findSealingKeys(db);
    if (needed.length > 0)
      note(`not decrypted: set SIMS_SECRET_KEY_FILE to the file with the line ${needed.join(', ')}.`);
    return;
  }
  for (const { column, row, keyId } of await findUnopenable(db, secrets)) {
    yield `${OWNERS[column]} ${row}: ${column} is encrypted with the key ${keyId}, and no line of SIMS_SECRET_KEY_FILE opens it.`;
  }
}

/** All checks, in the order in which they run. Within a snapshot they all read the same state of the database. */
export const CHECKS: readonly Check[] = [
  { title: 'Storage and references', faults: checkIntegrity },
  { title: 'Grade point averages', faults: incorrectAverages },
  { title: 'Statistics of courses', faults: incorrectStatistics },
  { title: 'Mark sheets', faults: incorrectSheets },
  { title: 'Openings of terms', faults: incorrectOpenings },
  { title: 'Schemes', faults: incorrectSchemes },
  { title: 'Holds', faults: incorrectHolds },
  { title: 'Pictures', faults: incorrectPictures },
  { title: 'Chain of the history', faults: brokenChain },
  { title: 'Triggers of the history', faults: missingTriggers },
  { title: 'Students and their history', faults: studentsWithoutHistory },
  { title: 'Courses and their history', faults: coursesWithoutHistory },
  { title: 'Accounts and their history', faults: accountsWithoutHistory },
  { title: 'Settings and their history', faults: settingsWithoutHistory },
  { title: 'Policies, notifications and their history', faults: policiesWithoutHistory },
  { title: 'Documents and their history', faults: documentsWithoutHistory },
  { title: 'Encrypted keys', faults: unopenableKeys },
  { title: 'List of students', faults: staleIndexRows, isRepairable: true },
  { title: 'Counts', faults: incorrectCounts, isRepairable: true },
];

async function* brokenChain(db: Db, { recordedHead, note }: CheckContext): AsyncGenerator<string> {
  const { pending, fault } = await verifyChain(db, recordedHead);
  if (fault !== undefined) yield fault;
  if (pending > 0)
    note(`${formatCount(pending)} of the latest entries ${pending === 1 ? 'is' : 'are'} not in it yet.`);
}

async function* missingTriggers(db: Db): AsyncGenerator<string> {
  yield* await lostTriggers(db, 'history');
  yield* await lostTriggers(db, 'history_links', 'number');
}

/** Faults listed for each check; further ones are only counted. */
const MAX_LISTED_FAULTS = 20;

/** Runs every check and reports the results line by line. Answers the checks that found faults. */
export async function runChecks(
  db: Db,
  report: (line: string) => void,
  {
    recordedHead,
    secrets,
    onProgress = () => {},
  }: Partial<Pick<CheckContext, 'recordedHead' | 'secrets' | 'onProgress'>> = {},
): Promise<Check[]> {
  const failed: Check[] = [];
  const createContext = ({ title }: Check): CheckContext => ({
    recordedHead,
    secrets,
    onProgress: (line) => onProgress(`${title}: ${line}`),
    note: (line) => report(`${title}: ${line}`),
  });
  for (const check of CHECKS) {
    let faults = 0;
    for await (const fault of catchReadErrors(db, check.faults(db, createContext(check)))) {
      faults += 1;
      if (faults <= MAX_LISTED_FAULTS) report(`${check.title}: ${fault}`);
    }
    if (faults > MAX_LISTED_FAULTS)
      report(`${check.title}: and ${formatCount(faults - MAX_LISTED_FAULTS)} more.`);
    if (faults === 0) report(`${check.title}: in order`);
    else failed.push(check);
  }
  return failed;
}

/** Yields the faults of a check. An error while reading becomes a fault too, so that the other checks still run. */
async function* catchReadErrors(db: Db, faults: AsyncIterable<string>): AsyncGenerator<string> {
  // PostgreSQL refuses further statements in a transaction after one has failed, until it is rolled back to a savepoint.
  if (db.isTransaction) await sql`savepoint before_check`.execute(db);
  try {
    yield* faults;
  } catch (error) {
    if (db.isTransaction) await sql`rollback to savepoint before_check`.execute(db).catch(() => {});
    yield `can't be read completely: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
