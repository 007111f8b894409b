import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validatorCompiler } from './validation.ts';

const compile = (schema: z.ZodType, httpPart: string) =>
  validatorCompiler({ schema, httpPart, method: 'POST', url: '/api/things' });

describe('the validator of calls', () => {
  const strict = z.strictObject({ name: z.string() });

  test.each<[string, z.ZodType]>([
    ['itself', strict],
    ['if it is there', strict.optional()],
    ['after a change', z.preprocess((value) => value, strict.nullable()).default(null)],
    ['in one of several forms', z.union([z.object({ id: z.string() }), strict])],
    ['in the items of a list', z.object({ people: z.array(strict) })],
    ['in a member', z.object({ person: strict.optional() })],
    ['in the values of a member', z.object({ people: z.record(z.string(), strict) })],
  ])('does not start with a body that refuses members that it does not know, %s', (_, schema) => {
    expect(() => compile(schema, 'body')).toThrow('use z.object');
  });

  test('takes a filter that refuses them', () => {
    expect(
      compile(z.object({ filter: strict }), 'body')({ filter: { name: 'a', nmae: 'b' } }),
    ).toHaveProperty('error');
  });

  test('ignores such members of a body, and refuses parameters of an address', () => {
    const sent = { name: 'a', nmae: 'b' };
    expect(compile(z.object({ name: z.string() }), 'body')(sent)).toEqual({ value: { name: 'a' } });
    expect(compile(z.strictObject({ name: z.string() }), 'querystring')(sent)).toMatchObject({
      error: { errors: { nmae: ['There is no such parameter.'] } },
    });
  });
});
