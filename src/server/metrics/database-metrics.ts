import type { DatabaseState } from '../db/open.ts';
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
  const { inUse, idle, waiting, most } = state;
  return [
    {
      name: 'sims_database_connections',
      help: 'Connections of this process to the database server.',
      type: 'gauge',
      samples: [
        { labels: { state: 'in_use' }, value: inUse },
        { labels: { state: 'idle' }, value: idle },
      ],
    },
    single('gauge', 'sims_database_connections_max', 'Connections that this process may have.', most),
    single('gauge', 'sims_database_waiting', 'Queries that wait for a connection.', waiting),
  ];
}
