import type { Role } from '../../contract/accounts.ts';

/** The person who makes a call. */
export interface Actor {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** Of the session that the call was made with. */
  tokenHash: string;
  /** How far a replica must have come for this session to read from it. */
  writtenUpTo: string | null;
}
