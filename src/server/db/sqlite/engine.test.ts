import { describe, expect, test } from 'vitest';
import { usesNodeSqlite } from './engine.ts';

describe('the SQLite engine', () => {
  test.each([
    ['3.51.3', true],
    ['3.53.0', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.46.1', false],
    [undefined, false],
  ])('of Node.js with SQLite %s is used: %s', (version, isUsed) => {
    expect(usesNodeSqlite(version, 'linux')).toBe(isUsed);
    expect(usesNodeSqlite(version, 'darwin')).toBe(isUsed);
  });

  test('of an older Node.js is refused on Windows, where its closed files stay open', () => {
    expect(usesNodeSqlite('3.51.3', 'win32')).toBe(true);
    expect(() => usesNodeSqlite('3.51.2', 'win32')).toThrow('On Windows SIMS needs Node.js 22.22.3 or later');
    expect(() => usesNodeSqlite(undefined, 'win32')).toThrow(
      'On Windows SIMS needs Node.js 22.22.3 or later',
    );
  });
});
