import { setTimeout as sleep } from 'node:timers/promises';
import { Api, registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { aCourse } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';

const MARKS = 1_000_000;
const KILLS = 6;

export const marksKilled: Scenario = {
  name: 'marks-killed',
  fault: `The process is killed during an upload of a million marks, ${KILLS} times`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      const api = new Api(server.url, token);
      const file = new Blob([Array.from({ length: MARKS }, () => '75').join('\n')]);
      const upload = async (course_id: number) => {
        const form = new FormData();
        form.set('course_id', String(course_id));
        form.set('file', file, 'marks.csv');
        const answer = await fetch(`${server.url}/api/courses-marks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: form,
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      const newCourse = async () => {
        const course = aCourse();
        await api.post('/api/courses', course);
        return course.course_id;
      };
      const startedAt = performance.now();
      const status = await upload(await newCourse());
      const usualMs = performance.now() - startedAt;
      findings.must(status === 201, `an undisturbed upload answers 201, not ${status}`);

      const counts: number[] = [];
      for (let i = 0; i < KILLS; i += 1) {
        const course = await newCourse();
        const uploaded = upload(course).catch(() => 0);
        await sleep(usualMs * (0.3 + (0.7 * (i + Math.random())) / KILLS));
        await server.kill();
        const interruptedStatus = await uploaded;
        await server.restart();
        const { course: found } = await api.get<{ course: { marks_count: number } }>(
          `/api/courses/${course}`,
        );
        counts.push(found.marks_count);
        findings.must(
          found.marks_count === 0 || found.marks_count === MARKS,
          `0 or ${MARKS} marks, not ${found.marks_count}`,
        );
        findings.must(
          interruptedStatus !== 201 || found.marks_count === MARKS,
          'acknowledged marks are stored',
        );
      }
      findings.report(
        `undisturbed ${usualMs.toFixed(0)} ms; after ${KILLS} kills: ${counts.join(', ')} marks`,
      );
    } finally {
      await server.dispose();
    }
  },
};
