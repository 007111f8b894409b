import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCode, type SignedSummary, signCode } from './code.ts';

const keys = generateKeyPairSync('ed25519');
const SUMMARY: SignedSummary = {
  keyId: 1,
  kind: 'transcript',
  semester: 8,
  serial: '2026-000001',
  studentId: '2022107',
  studentName: 'Zarmina Achakzai',
  programme: 'Computer and Software Engineering, CE-44',
  credits: 135,
  cgpa: 3.76,
  issuedOn: '2026-07-06',
  contentHash: '0123456789abcdef'.repeat(4),
};
const read = (summary: SignedSummary) => readCode(signCode(summary, keys.privateKey));

describe('the signed code of a document', () => {
  test('has what was signed, and the first 16 bytes of the content hash', () => {
    const code = read(SUMMARY);
    expect(code?.summary).toEqual({ ...SUMMARY, contentHash: '0123456789abcdef'.repeat(2) });
    expect(code?.isSignedBy(keys.publicKey)).toBe(true);
    expect(code?.isSignedBy(generateKeyPairSync('ed25519').publicKey)).toBe(false);
    expect(read({ ...SUMMARY, cgpa: null })?.summary.cgpa).toBeNull();
  });

  test('fits a path and a QR code however long the names are', () => {
    const studentName = 'محمد '.repeat(100);
    const code = signCode({ ...SUMMARY, studentName, programme: 'Ü'.repeat(100) }, keys.privateKey);
    expect(code.length).toBeLessThan(512);
    const known = readCode(code)?.summary;
    expect(Buffer.byteLength(known?.studentName ?? '')).toBeLessThanOrEqual(96);
    expect(known?.studentName).toMatch(/^(محمد )+\S*…$/);
    expect(known?.programme).toBe(`${'Ü'.repeat(46)}…`);
  });

  test('holds no longer once any character of it is another', () => {
    const code = signCode(SUMMARY, keys.privateKey);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
    fc.assert(
      fc.property(fc.nat(code.length - 1), fc.constantFrom(...alphabet), (place, character) => {
        fc.pre(code[place] !== character);
        const changed = readCode(code.slice(0, place) + character + code.slice(place + 1));
        expect(changed?.isSignedBy(keys.publicKey) ?? false).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['', '.', 'MQ', '=', 'a b', `${signCode(SUMMARY, keys.privateKey)}=`, '2026-000001'])(
    'is not %j',
    (text) => {
      expect(readCode(text)).toBeUndefined();
    },
  );
});
