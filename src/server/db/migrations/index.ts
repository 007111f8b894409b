import type { Tx } from '../schema.ts';
import * as initial from './001-initial.ts';
import * as listing from './002-listing.ts';
import * as savedViews from './003-saved-views.ts';
import * as bulkChanges from './004-bulk-changes.ts';
import * as insights from './005-insights.ts';
import * as historyChain from './006-history-chain.ts';
import * as sessionsAndLocks from './007-sessions-and-locks.ts';
import * as backupSchedule from './008-backup-schedule.ts';
import * as exports from './009-exports.ts';
import * as secondFactors from './010-second-factors.ts';
import * as readReplicas from './011-read-replicas.ts';
import * as signInProvider from './012-sign-in-provider.ts';

export interface Migration {
  name: string;
  up(tx: Tx): Promise<void>;
  /** What the list works out of each record has changed, and is worked out anew for those that are there. */
  relists?: true;
}

/** In order of application; the place in the list is the version. Only ever added to. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-initial', up: initial.up },
  { name: '002-listing', up: listing.up, relists: true },
  { name: '003-saved-views', up: savedViews.up },
  { name: '004-bulk-changes', up: bulkChanges.up },
  { name: '005-insights', up: insights.up },
  { name: '006-history-chain', up: historyChain.up },
  { name: '007-sessions-and-locks', up: sessionsAndLocks.up },
  { name: '008-backup-schedule', up: backupSchedule.up },
  { name: '009-exports', up: exports.up },
  { name: '010-second-factors', up: secondFactors.up },
  { name: '011-read-replicas', up: readReplicas.up },
  { name: '012-sign-in-provider', up: signInProvider.up },
];
