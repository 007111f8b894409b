const whole = new Intl.NumberFormat('en');

/** A number with its thousands grouped, such as `12,000`. */
export const formatCount = (count: number): string => whole.format(count);
