import { type RefusalStatus, refusals as schemasOf } from '../../contract/errors.ts';

/** The reply schemas of errors, for routes that require a sign-in: these statuses, and always 401. */
export const refusals = (...statuses: RefusalStatus[]) => schemasOf([401, ...statuses]);
