import type { SheetListItem, SheetState } from '../../contract/marksheets/sheets.ts';

export const SHEET_STATES = ['draft', 'submitted', 'confirmed'] as const satisfies readonly SheetState[];

export const STATE_NAMES: Readonly<Record<SheetState, string>> = {
  draft: 'Draft',
  submitted: 'Submitted',
  confirmed: 'Confirmed',
};

/** The class of a sheet as `CE-46`, or `CE-46-A, B` of some syndicates. */
export const classText = ({
  department,
  degree,
  syn,
}: Pick<SheetListItem, 'department' | 'degree' | 'syn'>) =>
  [department, degree, ...(syn.length === 0 ? [] : [syn.join(', ')])].join('-');
