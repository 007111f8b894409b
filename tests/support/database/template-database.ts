import 'vitest';

/** Name of the database with empty tables on the PostgreSQL server of the run. */
export const TEMPLATE_DATABASE = 'sims_made';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL server of the run; empty if PostgreSQL is not installed. */
    postgresUrl: string;
    /** File of the SQLite database with empty tables. */
    madeFile: string;
  }
}
