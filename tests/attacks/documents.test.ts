import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { documentsCreatedReply } from '../../src/contract/documents/documents.ts';
import { targets } from '../support/processes/raw-client.ts';
import { aFamily, aSemester, aStudent, INSTITUTION } from '../support/records.ts';

describe.each(targets())('documents and their codes, on $name', ({ test }) => {
  // Covers A104
  test.for([
    ...["' or 1=1--", '2026-000001', '2026-000001.', '2026-000001.%00', '2026-000001.0000000000000000'],
    ...['%2e%2e%2f', '__proto__', '%F0%9F%92%A9', 'A'.repeat(500), randomBytes(300).toString('base64url')],
  ])('are not found by the code %j', async (code, { target }) => {
    for (const answer of [
      await target.call('GET', `/api/verify/${encodeURIComponent(code)}`),
      await target.call('POST', '/api/verify', { body: { code } }),
    ]) {
      expect([404, 414]).toContain(answer.status);
      expect(answer.text).not.toContain('Siddiqui');
    }
  });

  // Covers A102
  test('are not found by trying: too many wrong codes of a client are refused for a while', async ({
    target,
  }) => {
    const code = '2026-000001.ABCDEFGH12345678';
    const checks = [
      (from: string) => target.call('GET', `/api/verify/${code}`, { from }),
      (from: string) => target.call('POST', '/api/verify', { body: { code }, from }),
    ];
    for (let i = 0; i < 30; i += 1)
      for (const check of checks) expect((await check('127.0.0.9')).status).toBe(404);
    for (const check of checks) {
      const refused = await check('127.0.0.9');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await check('127.0.0.8')).status).toBe(404);
    }
  });

  test.for([
    ['limit=1e9', 422],
    ['before=2026', 422],
    ['state=lost', 422],
    ['student_id=%27+or+1=1', 200],
    ['serial[]=1', 422],
    ['__proto__=1', 422],
  ] as const)('are not listed for %s', async ([query, status], { admin }) => {
    const answer = await admin.get(`/api/documents?${query}`);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toEqual([]);
  });

  // Covers A103
  test('never show their codes in a list, and are nobody’s without a sign-in', async ({ target, admin }) => {
    const { id } = aStudent();
    await admin.post('/api/students', aStudent({ id }));
    await admin.post('/api/students/family', aFamily(id));
    await admin.post(
      '/api/students/academics',
      aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'A' }]),
    );
    await admin.put('/api/institution', INSTITUTION);
    const made = await admin.post('/api/documents', { kind: 'transcript', official: true, ids: [id] });
    expect(made.status, made.text).toBe(201);
    const { documents, batch_id } = documentsCreatedReply.parse(made.body);
    for (const path of ['', `/batches/${batch_id}`]) {
      const { text } = await admin.get(`/api/documents${path}`);
      expect(text).not.toContain('"code"');
      expect(text).not.toContain('hand_code');
    }
    for (const path of [
      '',
      `/${documents[0]?.serial}.pdf`,
      `/batches/${batch_id}.pdf`,
      `/batches/${batch_id}.zip`,
    ]) {
      expect((await target.call('GET', `/api/documents${path}`)).status, path).toBe(401);
    }
  });
});
