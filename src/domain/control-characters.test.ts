import { expect, test } from 'vitest';
import {
  escapeUnsafeCharacters,
  hasControlCharacters,
  hasControlCharactersInLines,
} from './control-characters.ts';

test('control characters are C0, DEL and C1, but not letters of any script, joiners or direction marks', () => {
  for (const char of ['\0', '\t', '\n', '\r', '\x1b', '\x1f', '\x7f', '\x80', '\x9b', '\x9f']) {
    expect(hasControlCharacters(`a${char}b`), JSON.stringify(char)).toBe(true);
  }
  for (const text of ['Zoë', 'عائشہ', 'می\u200cخواهم', '\u200fعلی', '李', '😀', '\u00a0', ' ']) {
    expect(hasControlCharacters(text), text).toBe(false);
  }
});

test('multi-line text may contain tabs and line breaks but no other control characters', () => {
  expect(hasControlCharactersInLines('House 12\r\n\tStreet 4\nRawalpindi')).toBe(false);
  for (const char of ['\0', '\b', '\v', '\f', '\x1b', '\x7f', '\x9b']) {
    expect(hasControlCharactersInLines(`a\n${char}b`), JSON.stringify(char)).toBe(true);
  }
});

// Covers A65
test('characters that a terminal would interpret or reorder are escaped so that JSON.parse restores them', () => {
  expect(escapeUnsafeCharacters('\x1b[2JAsad\u202e\x9b')).toBe('\\u001b[2JAsad\\u202e\\u009b');
  expect(escapeUnsafeCharacters('عائشہ Zoë 李')).toBe('عائشہ Zoë 李');
  const text = 'a\x1b\x7f\x85\u2028\u202e\u2066b';
  expect(JSON.parse(escapeUnsafeCharacters(JSON.stringify(text)))).toBe(text);
});
