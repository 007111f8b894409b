import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { errorsByPath } from '../../contract/errors.ts';
import { AppError, ValidationError } from '../errors.ts';

/**
 * Joins the messages of the contract with the names of their fields: `must be …` on `current_sem` becomes "The current
 * sem must be …". A message that starts with a capital or a digit is complete.
 *
 * @param isByPath whether a nested field is named by its path, not by its outermost part
 */
function toFieldErrors(error: z.ZodError, isByPath: boolean): Record<string, string[]> {
  const errors = new Map<string, string[]>();
  const add = (field: string, text: string) => {
    const texts = errors.get(field) ?? [];
    if (!texts.includes(text)) errors.set(field, [...texts, text]);
  };
  for (const issue of error.issues) {
    const depth = isByPath ? issue.path.findLastIndex((key) => typeof key === 'string') + 1 : 1;
    const field = issue.path.slice(0, Math.max(1, depth)).join('.') || 'body';
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      for (const key of issue.keys) add(key, 'There is no such parameter.');
      continue;
    }
    // For a nested field, the message names the innermost one.
    const part = issue.path.findLast((key) => typeof key === 'string') ?? field;
    add(
      field,
      /^[A-Z0-9]/.test(issue.message) ? issue.message : `The ${part.replaceAll('_', ' ')} ${issue.message}`,
    );
  }
  return Object.fromEntries(errors);
}

/** The checked input, or texts by field. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): { input: z.output<Schema> } | { errors: Record<string, string[]> } {
  const result = schema.safeParse(data);
  if (result.success) return { input: result.data };
  return { errors: toFieldErrors(result.error, errorsByPath.has(schema)) };
}

/** @throws ValidationError */
export function parseInput<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const checked = checkInput(schema, data);
  if ('errors' in checked) throw new ValidationError(checked.errors);
  return checked.input;
}

/** Members of bodies that are their names: an unknown one in a filter would select more than was meant (docs/decisions/053). */
const STRICT_MEMBERS = new Set(['filter', 'selection', 'view', 'rules']);

/** @throws Error for a body that would refuse members that it, or what it consists of, does not know */
function requireLooseBody(schema: z.core.$ZodType): void {
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall instanceof z.ZodNever)
      throw new Error('A body ignores members that it does not know: use z.object.');
    for (const [name, member] of Object.entries<z.core.$ZodType>(schema.shape))
      if (!STRICT_MEMBERS.has(name)) requireLooseBody(member);
  }
  for (const part of schemaParts(schema)) requireLooseBody(part);
}

/** The schemas that another one wraps, chooses from or repeats. */
function schemaParts(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.def.element];
  if (schema instanceof z.ZodRecord) return [schema.def.valueType];
  if (schema instanceof z.ZodPipe) return [schema.def.in, schema.def.out];
  if (schema instanceof z.ZodUnion) return schema.def.options;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [schema.def.innerType];
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? [schema.def.innerType] : [];
}

/**
 * Validates bodies, queries and paths. An invalid path parameter is answered 404: there can't be such a record. A body's members that
 * its schema does not name are ignored.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  if (httpPart === 'body') requireLooseBody(schema);
  return (data) => {
    // An optional body may be left out.
    const isLeftOut = httpPart === 'body' && (data ?? null) === null && schema.safeParse(undefined).success;
    if (isLeftOut) data = undefined;
    else if (httpPart === 'body' && (typeof data !== 'object' || data === null || Array.isArray(data))) {
      return { error: new AppError('malformed', 'The body must be a JSON object.') };
    }
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    if (httpPart === 'params') return { error: new AppError('not-found', 'There is no such record.') };
    return { error: new ValidationError(toFieldErrors(result.error, errorsByPath.has(schema))) };
  };
};
