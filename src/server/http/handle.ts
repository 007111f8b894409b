import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ROLES, type Role } from '../../contract/accounts/accounts.ts';
import {
  type CallEntry,
  type CallGroup,
  type CallKey,
  type CallReply,
  RIGHTS,
  type Right,
} from '../../contract/calls.ts';
import { type RefusalStatus, refusals } from '../../contract/errors.ts';
import type { App } from '../app-types.ts';
import type { Db, Tx } from '../db/schema.ts';
import { type Actor, requireActor } from './actor.ts';
import { type Created, createIdempotently } from './idempotency.ts';
import type { VerifiedActor } from './transact-as.ts';

type Parsed<Entry, Part extends 'params' | 'query' | 'body'> =
  Entry extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** A call as its handler gets it: parsed, and made by somebody who may make it. */
export interface HandledCall<Entry extends CallEntry> {
  params: Parsed<Entry, 'params'>;
  query: Parsed<Entry, 'query'>;
  body: Parsed<Entry, 'body'>;
  actor: Entry extends { rights: 'everybody' } ? null : Actor;
  /** The version that a change is based on. */
  ifMatch: string | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Creates something in one transaction and answers 201, see {@link createIdempotently}. */
  create: (
    db: Db,
    act: (tx: Tx, author: VerifiedActor) => Promise<Created<CallReply<Entry>>>,
  ) => Promise<FastifyReply>;
}

/** Answers with the body of a success, or has sent the reply itself. */
export type CallHandler<Entry extends CallEntry> = (
  call: HandledCall<Entry>,
) => CallReply<Entry> | FastifyReply | Promise<CallReply<Entry> | FastifyReply>;

/** Options of a route beside its entry. */
export interface CallOptions {
  /** Media types of the body; JSON by default. */
  consumes?: string[];
  /** Leaves the call out of the description of the API. */
  hide?: true;
  config?: Omit<FastifyContextConfig, 'rights'>;
  /** The limit in bytes. */
  bodyLimit?: number;
  /** False where a HEAD request would do all the work of the call. */
  exposeHeadRoute?: boolean;
}

/** Registers the call with this key. */
type Handle<Calls extends CallGroup['calls']> = <Key extends keyof Calls & CallKey>(
  key: Key,
  ...rest: [CallHandler<Calls[Key]>] | [CallOptions, CallHandler<Calls[Key]>]
) => void;

/**
 * A function that registers the calls of a group. Schema, rights, refusals and description come from their entries; it takes
 * the key, options if there are any, and the handler.
 */
export function bindCalls<Calls extends CallGroup['calls']>(
  app: App,
  { tag, calls }: { tag: string; calls: Calls & CallGroup['calls'] },
): Handle<Calls> {
  return <Key extends keyof Calls & CallKey>(
    key: Key,
    ...rest: [CallHandler<Calls[Key]>] | [CallOptions, CallHandler<Calls[Key]>]
  ) => {
    const [{ config, consumes, hide, ...options }, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
    const entry: CallEntry | undefined = calls[key];
    if (entry === undefined) throw new Error(`The contract has no call ${key}.`);
    const { method, path } = splitKey(key);
    const status = Math.min(...Object.keys(entry.replies).map(Number));
    app.route({
      method,
      url: path,
      ...options,
      config: { ...config, rights: entry.rights },
      schema: { ...toSchema(tag, entry), ...(consumes && { consumes }), ...(hide && { hide }) },
      handler: (request, reply) => {
        // Also where a route was added outside of the scope that requires a sign-in.
        const actor = entry.rights === 'everybody' ? null : requireActor(request);
        return handler(toCall<Calls[Key]>(request, reply.code(status), actor));
      },
    });
  };
}

function splitKey(key: CallKey) {
  const [method = '', path = ''] = key.split(' ', 2);
  return { method, path };
}

const AUDIENCES: Readonly<Record<Role, string>> = {
  viewer: 'viewers',
  staff: 'staff',
  admin: 'administrators',
  teacher: 'teachers of the mark sheet',
};
const listFormat = new Intl.ListFormat('en');

const isAdmitted = (role: Role, rights: readonly Right[]) =>
  RIGHTS[role].some((right) => rights.includes(right));

/** Whom a call is for, where that is not everybody who is signed in. */
function describeRights(rights: CallEntry['rights']): string | undefined {
  if (rights === 'everybody') return undefined;
  const roles = ROLES.filter((role) => isAdmitted(role, rights));
  if (roles.length === ROLES.length) return undefined;
  return `For ${listFormat.format(roles.map((role) => AUDIENCES[role]).reverse())}.`;
}

function toSchema(tag: string, { summary, rights, replies, refuses = [], ...entry }: CallEntry) {
  const ofRights: readonly RefusalStatus[] =
    rights === 'everybody' ? [] : rights.includes('account') ? [401] : [401, 403, 404];
  const description = [describeRights(rights), entry.description]
    .filter((text) => text !== undefined)
    .join(' ');
  return {
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    ...(entry.params && { params: entry.params }),
    ...(entry.query && { querystring: entry.query }),
    ...(entry.body && { body: entry.body }),
    response: { ...refusals([...ofRights, ...refuses]), ...replies },
  };
}

function toCall<Entry extends CallEntry>(
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor | null,
): HandledCall<Entry> {
  const call: unknown = {
    params: request.params,
    query: request.query,
    body: request.body,
    actor,
    ifMatch: request.headers['if-match'],
    request,
    reply,
    create: (db: Db, act: (tx: Tx, author: VerifiedActor) => Promise<Created>) =>
      createIdempotently(db, request, reply, act),
  };
  // The schemas of the entry have parsed the input.
  return call as HandledCall<Entry>;
}
