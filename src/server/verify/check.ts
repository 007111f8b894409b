import type { Db } from '../db/schema.ts';
import type { Head } from '../history/chain.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** Arguments of a check besides the database. */
export interface CheckContext {
  /** Head of the history chain as recorded earlier, to compare with. */
  recordedHead?: Head | undefined;
  /** Decrypts keys; undefined where those of a backup are not to be decrypted. */
  secrets?: Secrets | undefined;
  /** Called with the progress of a check, any number of times. */
  onProgress: (line: string) => void;
  /** Called with remarks that are not faults. */
  note: (line: string) => void;
}

/** A property that every database must have. */
export interface Check {
  title: string;
  /** Yields a line for each violation. */
  faults: (db: Db, context: CheckContext) => AsyncIterable<string>;
  /** True if the data are derived from the records, so that `sims reindex` can rebuild them. */
  isRepairable?: true;
}
