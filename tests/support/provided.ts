import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's own PostgreSQL server; empty where there is none to be had. */
    postgresUrl: string;
  }
}
