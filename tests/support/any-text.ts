import fc from 'fast-check';

/**
 * Any text without lone surrogates. `fc.string({ unit: 'binary' })` generates the same, but keeps a map of a million characters,
 * which takes a second and slows down every test after it in the same process.
 */
export const anyText = (constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });

const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
