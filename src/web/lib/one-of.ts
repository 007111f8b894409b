/** The one of `values` that equals `value`, or undefined. */
export const oneOf = <const Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined => values.find((known) => known === value);
