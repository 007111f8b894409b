import { describe, expect, it } from 'vitest';
import { decodeMarksFile, isArchive } from './decode-marks-file.ts';

const utf16 = (text: string, isLittleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i += 1) view.setUint16(i * 2, text.charCodeAt(i), isLittleEndian);
  return new Uint8Array(view.buffer);
};

describe('decodeMarksFile', () => {
  it.each([
    ['UTF-8', new TextEncoder().encode('Zoë,50')],
    ['UTF-8 with a byte order mark', new TextEncoder().encode('\uFEFFZoë,50')],
    ['UTF-16, low byte first', utf16('\uFEFFZoë,50', true)],
    ['UTF-16, high byte first', utf16('\uFEFFZoë,50', false)],
  ])('reads %s', (_, bytes) => {
    expect(decodeMarksFile(bytes)).toBe('Zoë,50');
  });

  it.each([
    ['Latin-1', Uint8Array.of(0x5a, 0x6f, 0xeb)],
    ['half a UTF-16 unit', Uint8Array.of(0xff, 0xfe, 0x35)],
  ])('returns undefined for %s', (_, bytes) => {
    expect(decodeMarksFile(bytes)).toBeUndefined();
  });
});

describe('isArchive', () => {
  it.each([
    ['a workbook', Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14), true],
    ['text', new TextEncoder().encode('PK,50'), false],
    ['an empty file', Uint8Array.of(), false],
  ])('answers for %s', (_, bytes, expected) => {
    expect(isArchive(bytes)).toBe(expected);
  });
});
