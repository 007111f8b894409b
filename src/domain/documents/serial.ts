/** Digits of the number within a year, so that serials sort as text. */
const DIGITS = 6;

/** The serial of a document: the year of its issue and its number in that year, such as `2026-000001`. */
export const toSerial = (year: number, number: number): string =>
  `${year}-${String(number).padStart(DIGITS, '0')}`;

/** A serial as {@link toSerial} writes it. */
export const SERIAL_PATTERN = /^\d{4}-\d{6}$/;

/** The number of a serial within its year. */
export const serialNumber = (serial: string): number => Number(serial.slice(5));
