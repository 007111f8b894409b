import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

describe('the log', () => {
  // Covers A87
  test('consists of JSON lines with UTC times and omits rows that the database rejected', () => {
    const pieces: string[] = [];
    const logger = createLogger('info', { write: (text) => pieces.push(text) });
    const detail = 'Failing row contains (1, $argon2id$v=19$m=19456).';
    logger.error(
      { err: Object.assign(new Error('violates check constraint'), { detail }) },
      'unexpected\nfailure',
    );
    const written = pieces.join('');
    const line = JSON.parse(written) as { time: string; err: object };
    expect(written.trimEnd()).not.toContain('\n');
    expect(line).toMatchObject({ level: 50, msg: 'unexpected\nfailure', err: { type: 'Error' } });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(written).not.toContain('argon2id');
  });
});
