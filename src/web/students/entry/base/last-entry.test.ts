import { expect, it } from 'vitest';
import { nextNumber } from './last-entry.ts';

it('counts registration numbers up at their end, whatever stands before it', () => {
  const pairs = [
    ['2026701', '2026702'],
    ['2026-CE-009', '2026-CE-010'],
    ['CE-99', 'CE-100'],
    ['90071992547409919', '90071992547409920'],
    ['2026-CE', ''],
    ['', ''],
  ] as const;
  for (const [id, next] of pairs) expect(nextNumber(id), id).toBe(next);
});
