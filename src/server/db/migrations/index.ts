import type { Tx } from '../schema.ts';
import * as initial from './001-initial.ts';
import * as accountGuards from './002-account-guards.ts';
import * as studentStatus from './003-student-status.ts';
import * as courseCredits from './004-course-credits.ts';
import * as formerIds from './006-former-ids.ts';
import * as terms from './007-terms.ts';
import * as policies from './008-policies.ts';
import * as imports from './009-imports.ts';
import * as marksheets from './010-marksheets.ts';
import * as documents from './012-documents.ts';
import * as namesakes from './013-namesakes.ts';
import * as historyPending from './014-history-pending.ts';
import * as batchCounts from './015-batch-counts.ts';
import * as wordBits from './016-word-bits.ts';
import * as notifiedStanding from './020-notified-standing.ts';
import * as leftRows from './021-left-rows.ts';
import * as elsewhere from './022-elsewhere.ts';
import * as publicAddress from './023-public-address.ts';
import * as nameSpellings from './024-name-spellings.ts';
import * as openSheets from './025-open-sheets.ts';
import * as schemes from './026-schemes.ts';
import * as sheetTeachers from './027-sheet-teachers.ts';
import * as datesOfTerms from './028-dates-of-terms.ts';
import * as attendance from './031-attendance.ts';
import * as registrations from './032-registrations.ts';
import * as holds from './033-holds.ts';

export interface Migration {
  name: string;
  up(tx: Tx): Promise<void>;
}

/**
 * Migrations in order of application; the position in the list is the schema version. Only ever added to. The numbers of the files
 * are not versions: 005 and 011 never existed.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-initial', up: initial.up },
  { name: '002-account-guards', up: accountGuards.up },
  { name: '003-student-status', up: studentStatus.up },
  { name: '004-course-credits', up: courseCredits.up },
  { name: '006-former-ids', up: formerIds.up },
  { name: '007-terms', up: terms.up },
  { name: '008-policies', up: policies.up },
  { name: '009-imports', up: imports.up },
  { name: '010-marksheets', up: marksheets.up },
  { name: '012-documents', up: documents.up },
  { name: '013-namesakes', up: namesakes.up },
  { name: '014-history-pending', up: historyPending.up },
  { name: '015-batch-counts', up: batchCounts.up },
  { name: '016-word-bits', up: wordBits.up },
  { name: '020-notified-standing', up: notifiedStanding.up },
  { name: '021-left-rows', up: leftRows.up },
  { name: '022-elsewhere', up: elsewhere.up },
  { name: '023-public-address', up: publicAddress.up },
  { name: '024-name-spellings', up: nameSpellings.up },
  { name: '025-open-sheets', up: openSheets.up },
  { name: '026-schemes', up: schemes.up },
  { name: '027-sheet-teachers', up: sheetTeachers.up },
  { name: '028-dates-of-terms', up: datesOfTerms.up },
  { name: '031-attendance', up: attendance.up },
  { name: '032-registrations', up: registrations.up },
  { name: '033-holds', up: holds.up },
];
