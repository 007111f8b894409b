/** The length of a written reason. */
export const REASON_LENGTH = { min: 10, max: 500 } as const;
