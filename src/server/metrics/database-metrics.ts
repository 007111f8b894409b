import type { DatabaseState, PoolState } from '../db/open.ts';
import { type Metric, single } from './exposition.ts';

/** What can be seen of the database from this process. */
export function databaseMetrics(state: DatabaseState): Metric[] {
  if (state.engine === 'sqlite') {
    return [
      single('gauge', 'sims_database_file_bytes', 'Size of the database file.', state.fileBytes),
      single('gauge', 'sims_database_wal_bytes', 'Size of the write-ahead log beside it.', state.logBytes),
      single('gauge', 'sims_database_free_bytes', 'Room left where it is.', state.freeBytes),
    ];
  }
  const { waiting, most, replica } = state;
  const ofPrimary = [
    connections('sims_database_connections', 'Connections of this process to the database server.', state),
    single('gauge', 'sims_database_connections_max', 'Connections that this process may have.', most),
    single('gauge', 'sims_database_waiting', 'Queries that wait for a connection.', waiting),
  ];
  if (replica === undefined) return ofPrimary;
  return [
    ...ofPrimary,
    single('gauge', 'sims_replica_serves', 'Whether the read replica is asked.', replica.serves ? 1 : 0),
    single(
      'gauge',
      'sims_replica_behind_seconds',
      'Since the primary wrote what the read replica has not got.',
      replica.behind / 1_000,
    ),
    connections('sims_replica_connections', 'Connections of this process to the read replica.', replica),
    single('gauge', 'sims_replica_waiting', 'Queries that wait for one of these.', replica.waiting),
  ];
}

const connections = (name: string, help: string, { inUse, idle }: PoolState): Metric => ({
  ...{ name, help, type: 'gauge' },
  samples: [
    { labels: { state: 'in_use' }, value: inUse },
    { labels: { state: 'idle' }, value: idle },
  ],
});
