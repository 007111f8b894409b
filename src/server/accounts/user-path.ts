import { z } from 'zod';
import { numberedPath } from '../../contract/fields.ts';

/** The path of an account. */
export const userPath = z.object({ id: numberedPath });
