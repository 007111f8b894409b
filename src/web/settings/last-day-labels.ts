/** The last days of a term as forms and lists name them. */
export const DAY_LABELS = {
  add_until: 'Add until',
  drop_until: 'Drop until',
  withdraw_until: 'Withdraw until',
} as const;
