import type { Home, SetupStep } from '../../contract/home.ts';
import { SETUP_STEPS } from '../../contract/home.ts';
import type { Db } from '../db/schema.ts';

/** Which of the first steps of a new faculty are done; null once all are. */
export async function readSetup(db: Db): Promise<Home['setup']> {
  const [institution, term, course, student, colleagues, scheme] = await Promise.all([
    db.selectFrom('institution').select('name').where('name', 'is not', null).limit(1).executeTakeFirst(),
    db.selectFrom('terms').select('term_id').limit(1).executeTakeFirst(),
    db.selectFrom('courses').select('course_id').limit(1).executeTakeFirst(),
    db.selectFrom('students').select('id').limit(1).executeTakeFirst(),
    // An invitation counts: what is left to do is the colleague's.
    db.selectFrom('users').select('id').limit(2).execute(),
    db.selectFrom('schemes').select('number').where('number', 'is not', null).limit(1).executeTakeFirst(),
  ]);
  const isDone: Record<SetupStep, boolean> = {
    institution: institution !== undefined,
    term: term !== undefined,
    courses: course !== undefined,
    students: student !== undefined,
    colleague: colleagues.length > 1,
    scheme: scheme !== undefined,
  };
  const steps = SETUP_STEPS.map((step) => ({ step, done: isDone[step] }));
  return steps.every(({ done }) => done) ? null : steps;
}
