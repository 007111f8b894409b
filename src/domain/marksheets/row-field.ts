const SEPARATOR = ' · ';

/** The field of a row in the history of its mark sheet: a student with a component, or with what else the row has. */
export const rowField = (studentId: string, name: string | undefined): string =>
  `${studentId}${SEPARATOR}${name}`;

/** Whether a field of such a history is of a row. Those of the sheet itself are single words. */
export const isRowField = (field: string): boolean => field.includes(SEPARATOR);
