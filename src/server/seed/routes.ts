import { SAMPLE_STUDENTS, sampleDataReply } from '../../contract/sample-data.ts';
import type { App, Deps } from '../app-types.ts';
import { requireAdmin } from '../http/actor.ts';
import { refusals } from '../http/refusals.ts';
import { transactAs } from '../http/transact-as.ts';
import { findOwnAddress } from '../institution/site.ts';
import { fillEmptyDatabase } from './seed-faculty.ts';

/** Sample data for a first look. */
export function sampleDataRoutes(app: App, { db, settings, secrets }: Deps): void {
  app.post(
    '/api/sample-data',
    {
      schema: {
        tags: ['Sample data'],
        summary: 'Fill an empty database with invented students and courses',
        description: 'In one transaction. 409 once there are students or courses.',
        response: { 201: sampleDataReply, ...refusals(403, 409) },
      },
    },
    async (request, reply) => {
      const { students, courses } = await transactAs(db.write, requireAdmin(request), async (tx, author) =>
        fillEmptyDatabase(tx, author, {
          ...{ students: SAMPLE_STUDENTS, seed: 1 },
          address: findOwnAddress(app, settings),
          secrets,
        }),
      );
      const message = `${students} invented students and ${courses} courses have been entered.`;
      return reply.code(201).send({ message, students, courses });
    },
  );
}
