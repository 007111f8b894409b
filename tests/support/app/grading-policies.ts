import { type Policy, policyCreatedReply, policyPreview } from '../../../src/contract/grading/policies.ts';
import type { Person } from './people.ts';

/** Creates a policy as it is previewed. */
export async function makePolicy(
  by: Person,
  input: { degrees: string[] | null; rules: object },
): Promise<Policy> {
  const preview = await by.post('/api/policies/preview', input);
  if (preview.status !== 200) throw new Error(`The preview answered ${preview.status}: ${preview.text}`);
  const { fingerprint } = policyPreview.parse(preview.body);
  const answer = await by.post('/api/policies', { name: 'Repeats', ...input, fingerprint });
  if (answer.status !== 201) throw new Error(`The policy was answered ${answer.status}: ${answer.text}`);
  return policyCreatedReply.parse(answer.body).policy;
}
