import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError, InvalidFields } from '../errors.ts';

/**
 * Puts the texts of the contract together with the names of their fields: `must be …` on `current_sem` reads
 * "The current sem must be …". A text that starts with a capital or a digit stands for itself.
 */
function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const errors = new Map<string, string[]>();
  const add = (field: string, text: string) => {
    const texts = errors.get(field) ?? [];
    if (!texts.includes(text)) errors.set(field, [...texts, text]);
  };
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'body');
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      for (const key of issue.keys) add(key, 'There is no such parameter.');
      continue;
    }
    // Of a field with parts, the text says which part.
    const part = issue.path.findLast((key) => typeof key === 'string') ?? field;
    add(
      field,
      /^[A-Z0-9]/.test(issue.message) ? issue.message : `The ${part.replaceAll('_', ' ')} ${issue.message}`,
    );
  }
  return Object.fromEntries(errors);
}

/** What came from outside, as a schema of the contract has it. */
export function checked<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const result = schema.safeParse(data);
  if (!result.success) throw new InvalidFields(fieldErrors(result.error));
  return result.data;
}

/** Checks bodies, queries and paths by the schemas of the contract. A path that can't be right is simply not there. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data) => {
    if (httpPart === 'body' && (typeof data !== 'object' || data === null || Array.isArray(data))) {
      return { error: new AppError('malformed', 'The body must be a JSON object.') };
    }
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    if (httpPart === 'params') return { error: new AppError('not-found', 'There is no such record.') };
    return { error: new InvalidFields(fieldErrors(result.error)) };
  };
};
