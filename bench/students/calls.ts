/** Requests per second of the most frequent reads, compared with a bare server that returns the same data. */
import path from 'node:path';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { seedFaculty } from '../../src/server/seed/seed-faculty.ts';
import { registerUser } from '../../tests/support/api.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { rate, rateText, startBare } from '../support/bare/bare-rate.ts';

const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  await server.stop();
  const db = await openEmbedded(server.dataDir);
  await seedFaculty(db.write, { students: 100, seed: 1 });
  const fullest = await db.read
    .selectFrom('semesters')
    .select(['student_id', (eb) => eb.fn.countAll().as('semesters')])
    .groupBy('student_id')
    .orderBy('semesters', 'desc')
    .orderBy('student_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.close();
  await server.restart();
  const { token } = await registerUser(server.url);

  const bare = await startBare(path.join(server.dataDir, 'sims.db'), fullest.student_id);
  try {
    const calls = [
      ['A list of 100', '/list', `${server.url}/api`],
      [
        `A record of ${fullest.semesters} semesters`,
        '/record',
        `${server.url}/api/students/${fullest.student_id}`,
      ],
    ] as const;
    for (const [title, barePath, url] of calls) {
      await rate(url, token); // warm
      const limit = await rate(bare.url + barePath);
      const own = await rate(url, token);
      const finished = await rate(`${bare.url}/finished${barePath}`);
      console.log(`${title}: ${rateText(own, limit)}; finished text ${finished.toFixed(0)}/s`);
    }
  } finally {
    bare.process.kill('SIGTERM');
  }
} finally {
  await server.dispose();
}
