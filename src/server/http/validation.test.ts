import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validatorCompiler } from './validation.ts';

const compile = (schema: z.ZodType, httpPart: string) =>
  validatorCompiler({ schema, httpPart, method: 'POST', url: '/api/things' });

describe('the validator of calls', () => {
  test('does not start with a body that refuses members that it does not know', () => {
    expect(() => compile(z.strictObject({ name: z.string() }), 'body')).toThrow('use z.object');
  });

  test('ignores such members of a body, and refuses parameters of an address', () => {
    const sent = { name: 'a', nmae: 'b' };
    expect(compile(z.object({ name: z.string() }), 'body')(sent)).toEqual({ value: { name: 'a' } });
    expect(compile(z.strictObject({ name: z.string() }), 'querystring')(sent)).toMatchObject({
      error: { errors: { nmae: ['There is no such parameter.'] } },
    });
  });
});
