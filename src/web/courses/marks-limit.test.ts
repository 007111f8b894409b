import { expect, it } from 'vitest';
import { ApiError } from '../api.ts';
import { requireSendable } from './marks-limit.ts';

const MIB = 1024 * 1024;

it('lets a file pass that the server takes', () => {
  requireSendable(null);
  requireSendable({ size: 32 * MIB });
});

it('refuses a larger one at its field', () => {
  const refusal = expect.objectContaining({ errors: { file: ['The file must be at most 32 MiB.'] } });
  expect(() => requireSendable({ size: 32 * MIB + 1 })).toThrow(refusal);
  expect(() => requireSendable({ size: 32 * MIB + 1 })).toThrow(ApiError);
});
