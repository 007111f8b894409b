import { setTimeout as sleep } from 'node:timers/promises';
import {
  documentBatch,
  documentsCreatedReply,
  registerReply,
} from '../../../../src/contract/documents/documents.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import type { Scenario } from '../../support/scenario.ts';

const STUDENTS = 60;
const KILLS = 4;

export const documentsKilled: Scenario = {
  name: 'documents-killed',
  fault: `The process is killed while it issues ${STUDENTS} transcripts, ${KILLS} times`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      const api = new Api(server.url, token);
      await api.nameInstitution();
      const ids: string[] = [];
      for (let i = 0; i < STUDENTS; i += 1) {
        const { id } = await api.createRecord([[{ title: 'Statics', credits: 3, grade: 'A' }]]);
        ids.push(String(id));
      }
      const issue = async () =>
        documentsCreatedReply.parse(
          await api.post('/api/documents', { kind: 'transcript', official: true, ids }),
        );
      const readBatch = async (batchId: number) =>
        documentBatch.parse(await api.get(`/api/documents/batches/${batchId}`));

      const counts: number[] = [];
      for (let i = 0; i < KILLS; i += 1) {
        const { batch_id } = await issue();
        while ((await readBatch(batch_id)).documents === 0) await sleep(20);
        await sleep(Math.random() * 500);
        await server.kill();
        await server.restart();
        const { documents, progress, first_serial, last_serial } = await readBatch(batch_id);
        counts.push(documents);
        findings.must(progress.done === documents, `the progress is that of the register: ${progress.done}`);
        const issued = registerReply
          .parse(await api.get('/api/documents?limit=200'))
          .filter((one) => one.batch_id === batch_id);
        const span = Number(last_serial?.slice(5)) - Number(first_serial?.slice(5)) + 1;
        findings.must(span === issued.length, `the serials have no gap: ${first_serial} to ${last_serial}`);
        for (const { serial, state } of issued) {
          const file = await api.send('GET', `/api/documents/${serial}.pdf`);
          const bytes = Buffer.from(await file.arrayBuffer()).toString('latin1');
          const isWhole =
            file.status === 200 && bytes.startsWith('%PDF') && bytes.trimEnd().endsWith('%%EOF');
          findings.must(isWhole && state === 'valid', `${serial} has its whole file and is valid`);
        }
      }
      findings.report(`documents of ${STUDENTS} that were issued before each kill: ${counts.join(', ')}`);
    } finally {
      await server.dispose();
    }
  },
};
