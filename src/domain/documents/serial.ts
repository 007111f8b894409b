/** A serial of a paper: the year of its issue and its number in that year, such as `2026-000001`. */
export const SERIAL_PATTERN = /^\d{4}-\d{6}$/;
