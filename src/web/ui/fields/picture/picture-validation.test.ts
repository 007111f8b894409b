import { describe, expect, it } from 'vitest';
import { validatePicture } from './picture-validation.ts';

const MIB = 1024 * 1024;

describe('validatePicture', () => {
  it('accepts the allowed types up to 5 MiB', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
      expect(validatePicture({ type, size: 5 * MIB }, 'student portrait')).toBeNull();
    }
  });

  it('returns a message for a larger file or another type', () => {
    expect(validatePicture({ type: 'image/png', size: 5 * MIB + 1 }, 'student portrait')).toBe(
      'The student portrait must be at most 5 MiB.',
    );
    for (const type of ['image/svg+xml', 'image/gif', 'application/pdf', '']) {
      expect(validatePicture({ type, size: 10 }, 'picture')).toBe(
        'The picture must be a JPEG, PNG or WebP picture of at most 40 megapixels.',
      );
    }
  });
});
