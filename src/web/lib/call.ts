import type { allCalls } from '../../contract/all-calls.ts';
import type {
  CallBody,
  CallParams,
  CallQuery,
  CallRefusal,
  CallRefusalStatus,
  CallReply,
  QueryValue,
} from '../../contract/calls.ts';
import { ApiError, type SendOptions, sendCall } from './api.ts';

type Calls = typeof allCalls;
export type CallKey = keyof Calls;
/** What a call answers when it succeeds. */
export type Reply<Key extends CallKey> = CallReply<Calls[Key]>;

/** Parameters of the path and the query of a call. */
export type CallAddress<Key extends CallKey> = CallParams<Calls[Key]> & CallQuery<Calls[Key]>;
/** What a call takes; a form instead of a JSON body where it has files. */
type CallOptions<Key extends CallKey> = CallAddress<Key> & OrForm<CallBody<Calls[Key]>> & SendOptions;
type OrForm<Body> = { [Name in keyof Body]: Body[Name] | FormData };

/** Left out where nothing in it is required. */
export type Optional<Options> = object extends Options ? [options?: Options] : [options: Options];

interface Address {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Readonly<Record<string, QueryValue>> | undefined;
}

/**
 * The address of a call, for links and downloads. Parameters are encoded; members of the query without a value are left
 * out.
 */
export function callAddress<Key extends CallKey>(key: Key, ...[address]: Optional<CallAddress<Key>>): string {
  return splitKey(key, address).path;
}

function splitKey(key: CallKey, { params = {}, query = {} }: Address = {}) {
  const [method = '', template = ''] = key.split(' ', 2);
  const path = template.replaceAll(/:(\w+)(?:\(\^[^)]*\$\))?/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const chosen = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return { method, path: chosen.length === 0 ? path : `${path}?${new URLSearchParams(chosen)}` };
}

/** Makes a call of the contract. Returns the body of a success, throws `ApiError` for everything else. */
export async function call<Key extends CallKey>(
  key: Key,
  ...options: Optional<CallOptions<Key>>
): Promise<Reply<Key>> {
  return (await callWithVersion(key, ...options)).body;
}

/** Like {@link call}, with the record's version (`ETag`) for a later edit. */
export function callWithVersion<Key extends CallKey>(
  key: Key,
  ...[options]: Optional<CallOptions<Key>>
): Promise<{ body: Reply<Key>; version: string | undefined }> {
  const { params, query, ...rest }: Address & SendOptions & { body?: unknown } = options ?? {};
  const { method, path } = splitKey(key, { params, query });
  return sendCall<Reply<Key>>(method, path, { ...rest, key });
}

/**
 * What a call answered when it refused with this status, such as the new preview of a 412; undefined for other errors and
 * those of other calls.
 */
export const findRefusal = <Key extends CallKey, Status extends CallRefusalStatus<Calls[Key]>>(
  error: unknown,
  key: Key,
  status: Status,
) => (error instanceof ApiError ? error.getBody<CallRefusal<Calls[Key], Status>>(key, status) : undefined);

/** The calls whose refusal of an outdated record or preview (412) has the present one, with the type that the entry gives. */
type CurrentKey = {
  [Key in CallKey]: Calls[Key] extends { replies: { 412: unknown } } ? Key : never;
}[CallKey];
export type Current<Key extends CurrentKey> = Calls[Key] extends {
  replies: { 412: { _zod: { output: { current: infer Value } } } };
}
  ? Value
  : never;

/** The calls that apply what a preview has shown: they take its fingerprint. */
export type ApplyKey = {
  [Key in CurrentKey]: Preview<Key> extends never ? never : Key;
}[CurrentKey];

/** What such a call sends instead of an outdated preview. Sent without `If-Match`, it answers no record. */
export type Preview<Key extends CurrentKey> = Extract<Current<Key>, { fingerprint: string }>;

/** The preview as it is now, when this call has refused an outdated one; undefined for other errors. */
export const findPreview = <Key extends ApplyKey>(error: unknown, key: Key): Preview<Key> | undefined =>
  error instanceof ApiError ? error.getBody<{ current: Preview<Key> }>(key, 412)?.current : undefined;

/** The function of a query that makes a call, for queries that share the rest. */
export const toQueryFunction =
  <Key extends CallKey>(key: Key, ...[address]: Optional<CallAddress<Key>>) =>
  async ({ signal }: { signal: AbortSignal }): Promise<Reply<Key>> => {
    const { method, path } = splitKey(key, address);
    return (await sendCall<Reply<Key>>(method, path, { signal, key })).body;
  };
