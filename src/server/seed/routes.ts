import { SAMPLE_STUDENTS, sampleDataCalls } from '../../contract/installation/sample-data.ts';
import type { App, Deps } from '../app-types.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import { findOwnAddress } from '../institution/site.ts';
import { fillEmptyDatabase } from './seed-faculty.ts';

/** Sample data for a first look. */
export function sampleDataRoutes(app: App, { db, settings, secrets }: Deps): void {
  bindCalls(app, sampleDataCalls)('POST /api/sample-data', async ({ actor }) => {
    const { students, courses } = await transactAs(db.write, actor, async (tx, author) =>
      fillEmptyDatabase(tx, author, {
        students: SAMPLE_STUDENTS,
        seed: 1,
        address: findOwnAddress(app, settings),
        secrets,
      }),
    );
    const message = `${students} invented students and ${courses} courses have been entered.`;
    return { message, students, courses };
  });
}
