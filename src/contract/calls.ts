import { z } from 'zod';
import type { Role } from './accounts/accounts.ts';
import type { RefusalStatus } from './errors.ts';

/** Method and path of a call. `:name` in the path is a parameter, which `(^…$)` may follow: the pattern that it matches. */
export type CallKey = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** A file, which is sent as it is. */
export const fileReply = z.unknown().meta({ type: 'string', format: 'binary' });

/** A call of the API: who may make it, what it takes and what it answers. */
export interface CallEntry {
  /** One line for the description of the API. */
  summary: string;
  description?: string;
  /** Each of these rights admits to the call. `everybody` needs no sign-in. */
  rights: readonly Right[] | 'everybody';
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The schemas of the replies by status; also those refusals that have a schema of their own. */
  replies: Readonly<Record<number, z.ZodType>>;
  /** The other refusals, without 401 and 403: these follow from the rights. */
  refuses?: readonly RefusalStatus[];
}

/** The calls of a feature, under the heading that they have in the description of the API. */
export interface CallGroup {
  tag: string;
  calls: Readonly<Record<CallKey, CallEntry>>;
}

/**
 * What a person may do: use their own account, read the records, change them, administer the installation, and fill the mark
 * sheets whose list of teachers names them.
 */
export type Right = 'account' | 'read' | 'write' | 'administer' | 'sheets';

/** The rights of each role. */
export const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  admin: ['account', 'read', 'write', 'administer'],
  staff: ['account', 'read', 'write'],
  viewer: ['account', 'read'],
  teacher: ['account', 'sheets'],
};

type SuccessStatus = 200 | 201 | 202 | 204;

/** The reply of a call that succeeds; of several calls, the reply of one of them. */
export type CallReply<Entry extends CallEntry> = Entry extends unknown
  ? {
      [Status in keyof Entry['replies']]: Status extends SuccessStatus
        ? z.output<Entry['replies'][Status]>
        : never;
    }[keyof Entry['replies']]
  : never;

/** The statuses of refusals that have a schema of their own in the entry. */
export type CallRefusalStatus<Entry extends CallEntry> = Exclude<keyof Entry['replies'], SuccessStatus> &
  number;
/** The reply of a call that is refused with this status. */
export type CallRefusal<
  Entry extends CallEntry,
  Status extends CallRefusalStatus<Entry>,
> = Entry['replies'][Status] extends infer Schema extends z.ZodType ? z.output<Schema> : never;

/** Left out of the address where there is none. A list is sent with commas. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;
/** The parameters of the path, as a caller gives them. */
export type CallParams<Entry> = Entry extends { params: infer Schema extends z.ZodType }
  ? { params: { [Name in keyof z.output<Schema>]: string | number } }
  : object;
export type CallQuery<Entry> = Entry extends { query: infer Schema extends z.ZodType }
  ? { query?: { [Name in keyof z.output<Schema>]?: QueryValue } }
  : object;
export type CallBody<Entry> = Entry extends { body: infer Schema extends z.ZodType }
  ? undefined extends z.input<Schema>
    ? { body?: Sent<z.input<Schema>> }
    : { body: Sent<z.input<Schema>> }
  : object;
/** A member whose schema takes any value, as forms send texts for numbers, may be left out: it takes nothing too. */
type Sent<Input> = Input extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Input extends object
    ? { [Name in keyof Input as unknown extends Input[Name] ? never : Name]: Sent<Input[Name]> } & {
        [Name in keyof Input as unknown extends Input[Name] ? Name : never]?: Input[Name];
      }
    : Input;
