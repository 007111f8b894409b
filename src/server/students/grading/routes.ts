import { gradingCalls } from '../../../contract/grading/grading.ts';
import type { App, Deps } from '../../app-types.ts';
import { bindCalls } from '../../http/handle.ts';
import { sendObject } from '../../http/replies/send-json.ts';
import { explainCgpa, planFor, readStanding } from './student-results.ts';

export function gradingRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, gradingCalls);

  handle('GET /api/students/:id/cgpa', async ({ params, query, reply }) =>
    sendObject(reply, await explainCgpa(db.read, params.id, query.semester)),
  );

  handle('GET /api/students/:id/standing', async ({ params, reply }) =>
    sendObject(reply, await readStanding(db.read, params.id)),
  );

  handle('GET /api/students/:id/plan', ({ params, query }) => planFor(db.read, params.id, query));
}
