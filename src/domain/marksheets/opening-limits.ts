/** The most that one opening of a term makes. */
export const OPENING_LIMITS = { classes: 40, sheets: 300, rows: 30_000 } as const;
