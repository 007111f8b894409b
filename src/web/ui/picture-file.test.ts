import { describe, expect, it } from 'vitest';
import { pictureFault } from './picture-file.ts';

const MIB = 1024 * 1024;

describe('a file chosen as a picture', () => {
  it('may be of the accepted kinds and up to 5 MiB', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
      expect(pictureFault({ type, size: 5 * MIB }, 'student portrait')).toBeNull();
    }
  });

  it('is refused with a reason when it is too large or something else', () => {
    expect(pictureFault({ type: 'image/png', size: 5 * MIB + 1 }, 'student portrait')).toBe(
      'The student portrait must be at most 5 MiB.',
    );
    for (const type of ['image/svg+xml', 'image/gif', 'application/pdf', '']) {
      expect(pictureFault({ type, size: 10 }, 'picture')).toBe(
        'The picture must be a JPEG, PNG or WebP picture of at most 40 megapixels.',
      );
    }
  });
});
