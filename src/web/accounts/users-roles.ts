import type { Role } from '../../contract/accounts.ts';

const LABELS: Readonly<Record<Role, string>> = { admin: 'Admin', staff: 'Staff', viewer: 'Viewer' };

export const ROLE_OPTIONS = Object.entries(LABELS).map(([value, label]) => ({ value, label }));

/** A role as it is shown; the session can hold one that this version does not know. */
export const roleLabel = (role: string) => ROLE_OPTIONS.find(({ value }) => value === role)?.label ?? role;
