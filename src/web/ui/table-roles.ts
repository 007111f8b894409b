/**
 * Rows that are stacked on small screens have another `display`, and some browsers then no longer tell assistive
 * technology that it is a table. Roles that are stated stay.
 */
export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const COLUMN_HEADER = { role: 'columnheader' } as const;
export const CELL = { role: 'cell' } as const;
