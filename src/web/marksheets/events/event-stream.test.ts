import { describe, expect, test } from 'vitest';
import { createEventParser } from './event-stream.ts';

describe('the parser of server-sent events', () => {
  test('joins lines of data and skips comments', () => {
    const parse = createEventParser();
    expect(parse(': hello\n\nevent: cells\ndata: {"a":\ndata:1}\n\ndata: x\n\n')).toEqual([
      { name: 'cells', data: '{"a":\n1}' },
      { name: 'message', data: 'x' },
    ]);
  });

  test('finds the same messages wherever the text is cut', () => {
    const text = 'event: people\r\ndata: {"people":[]}\r\n\r\nevent: state\r\ndata: {}\r\n\r\n';
    for (let at = 0; at <= text.length; at += 1) {
      const parse = createEventParser();
      expect([...parse(text.slice(0, at)), ...parse(text.slice(at))], `cut at ${at}`).toEqual([
        { name: 'people', data: '{"people":[]}' },
        { name: 'state', data: '{}' },
      ]);
    }
  });
});
