import { expect, it } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { assertUploadSize } from './use-upload-marks.ts';

const MIB = 1024 * 1024;

it('assertUploadSize accepts a file of the maximum size', () => {
  assertUploadSize(null);
  assertUploadSize({ size: 32 * MIB });
});

it('assertUploadSize throws a field error for a larger file', () => {
  const refusal = expect.objectContaining({ errors: { file: ['The file must be at most 32 MiB.'] } });
  expect(() => assertUploadSize({ size: 32 * MIB + 1 })).toThrow(refusal);
  expect(() => assertUploadSize({ size: 32 * MIB + 1 })).toThrow(ApiError);
});
