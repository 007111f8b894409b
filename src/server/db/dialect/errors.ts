const getCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Serialization failure or deadlock: the server aborted the transaction for the sake of another one. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(getCode(error));

/**
 * The database is unreachable or not ready: locked by another program, a disk that fails or is read-only, or a server that is
 * down, starting, stopping, out of connections, rejecting connections or too slow.
 */
export const isUnavailable = (error: unknown) =>
  /^(08...|28000|28P01|3D000|55000|57P0[1-5]|53300|55P03|57014|25006|25P03|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|(HOST|NET)(UNREACH|DOWN)))$/.test(
    getCode(error),
  ) ||
  (error instanceof Error &&
    /database is (locked|busy)|disk I\/O error|readonly database|unable to open database file|Connection terminated|not queryable|timeout exceeded when trying to connect/i.test(
      error.message,
    )) ||
  (error instanceof AggregateError && error.errors.some(isUnavailable));

/** Any error that a server or the embedded engine reports. */
export const isDatabaseError = (error: unknown) => /^([0-9A-Z]{5}|ERR_SQLITE_ERROR)$/.test(getCode(error));

export const isStorageFull = (error: unknown) =>
  getCode(error) === '53100' || (error instanceof Error && /database or disk is full/i.test(error.message));

/** The transaction accepts no statement any more, since an earlier one has failed. */
export const isInFailedTransaction = (error: unknown) => getCode(error) === '25P02';

/** The server is a replica: after a failover another one is the primary. */
export const isReadOnlyServer = (error: unknown) => getCode(error) === '25006';
