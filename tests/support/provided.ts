import 'vitest';

/** The database on the run's own server that has its tables and nothing in them. */
export const MADE_DATABASE = 'sims_made';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's own PostgreSQL server; empty where there is none to be had. */
    postgresUrl: string;
    /** The embedded database that has its tables and nothing in them. */
    madeFile: string;
  }
}
