import type { Db } from './schema.ts';

export interface Database {
  /** For queries outside transactions; never waits for a writer. */
  read: Db;
  /** For transactions. */
  write: Db;
  /** For queries over many records: a connection, perhaps to a replica, that sees everything the session wrote up to `mark`. */
  readAfter(mark: string | null): Promise<Db>;
  /** Records the write-ahead log position of a session's last write; only where there is a replica. */
  noteWrite?: (tokenHash: string) => Promise<void>;
  /** Asks whether the database answers, without waiting for calls. @throws where it does not */
  ping(): Promise<void>;
  /** For the metrics; runs no query. */
  state(): Promise<DatabaseState>;
  close(): Promise<void>;
}

export type DatabaseState =
  | { engine: 'sqlite'; fileBytes: number; logBytes: number; freeBytes: number }
  | ({ engine: 'postgresql'; replica?: ReplicaState } & PoolState);

/** Connections of this process to a server, and queries waiting for a connection. */
export interface PoolState {
  inUse: number;
  idle: number;
  waiting: number;
  most: number;
}

export interface ReplicaState extends PoolState {
  /** Whether queries are sent to it. */
  serves: boolean;
  /** Replication lag in milliseconds; 0 where it had replayed everything at the last check. */
  behind: number;
}

/** How to use a database server. */
export interface ServerOptions {
  /** Most connections. */
  connections?: number;
  /** Milliseconds per statement; 0 for no limit. */
  statementTimeout?: number;
  /** URL of a read replica. */
  readUrl?: string | undefined;
  /** The caller holds the exclusive lock, so no shared lock is acquired. */
  isHeld?: boolean | undefined;
  /** Receives warnings for the log. */
  log?: (what: string) => void;
}
