const whole = new Intl.NumberFormat('en');

/** A number with its thousands grouped, such as `12,000`. */
export const formatCount = (count: number): string => whole.format(count);

/** A number with what it counts: `1 row`, `12,000 rows`, `0 entries`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
