import type { TestProject } from 'vitest/node';
import { PostgresServer, postgresPrograms } from './postgres.ts';
import './provided.ts';

/** A real server for the whole run. */
export default async function startPostgres(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (postgresPrograms() === undefined) {
    project.provide('postgresUrl', '');
    return undefined;
  }
  const server = await PostgresServer.start();
  project.provide('postgresUrl', server.url());
  return () => server.dispose();
}
