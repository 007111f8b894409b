import type { LatestChange } from '../../contract/errors.ts';
import { hasDrafts } from './drafts.ts';
import { trackWrite } from './pending-writes.ts';
import { authToken, currentUserId } from './session.ts';

const UNREACHABLE = 'The server could not be reached. What you typed is kept. Try again.';
const UNREADABLE = 'The server gave an answer that could not be read. Try again.';

/**
 * Gives a reply the type of the contract. It is not checked again: the browser contains no schemas,
 * and the server is of the same build.
 */
const castReply = <T>(sent: unknown): T => sent as T;

/** The data of an event of a stream. */
export const parseEvent = <T>(data: string): T => castReply<T>(JSON.parse(data));

/** Any response that is not a success. `status` is 0 when there was no response. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** Messages by field; empty except for a 422. */
  readonly errors: Record<string, string[]>;
  /** The text that only a response to a wrong current password carries. */
  readonly error: string | undefined;
  /** The other user who has changed or entered the record of a 412 or 422. */
  readonly latestChange: LatestChange;
  /** The present ID of the student, in a 404 for a former one. */
  readonly presentId: string | undefined;
  /** The whole body, for responses with more data; `findRefusal` gives its type. */
  readonly body: unknown;
  /** The key of the call that was refused. */
  readonly key: string | undefined;

  constructor(status: number, message: string, body?: unknown, key?: string) {
    super(message);
    this.status = status;
    this.body = body;
    this.key = key;
    this.errors = fieldErrors(body);
    this.error = stringProperty(body, 'error');
    this.presentId = stringProperty(body, 'present_id');
    this.latestChange = {
      changed_by: stringProperty(body, 'changed_by') ?? null,
      changed_at: stringProperty(body, 'changed_at') ?? null,
    };
  }

  /** The body, if it is that of a refusal of this call with this status. For `call.ts`, which gives the type. */
  getBody<T>(key: string, status: number): T | undefined {
    return this.key === key && this.status === status ? castReply<T | undefined>(this.body) : undefined;
  }
}

/** The text to show for a failed call: the server's message, or `fallback` for any other error. */
export const errorMessage = (error: unknown, fallback: string): string =>
  error instanceof ApiError ? error.message : fallback;

/** The text of the first field that was refused, where nothing is shown at fields; else as {@link errorMessage}. */
export const refusalText = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && Object.values(error.errors)[0]?.[0]) || errorMessage(error, fallback);

export interface SendOptions {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
  /** The version that an edit is based on (`ETag` of the read). */
  ifMatch?: string | undefined;
  /** False if the page shows the progress of a write itself; by default the loading overlay covers it. */
  hasOverlay?: boolean;
}

export interface CallOptions extends SendOptions {
  body?: unknown;
  /** The key of the call, which its error has. */
  key?: string;
}

type Method = string;

let handleSecondFactorNeeded = () => {};

/** Called when the server answers that the user has to set up a second factor first; set by main.tsx. */
export function onSecondFactorNeeded(handler: () => void): void {
  handleSecondFactorNeeded = handler;
}

let handleSessionEnded = (_ended: EndedSession) => {};

interface EndedSession {
  userId: number;
  /** Something typed is kept as a draft. */
  hasDraft: boolean;
}

/** Called when the server reports that the session has ended; set by main.tsx, since `lib` can't import the router. */
export function onSessionEnded(handler: (ended: EndedSession) => void): void {
  handleSessionEnded = handler;
}

/**
 * Sends a request. Returns the body of a success with the record's version (`ETag`), throws {@link ApiError} for everything
 * else. For `call.ts`, which gives the type.
 */
export function sendCall<T>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<{ body: T; version: string | undefined }> {
  return sendAndRead(method, path, options, async (response) => ({
    body: castReply<T>(await readBody(response, options.signal)),
    version: response.headers.get('ETag') ?? undefined,
  }));
}

/** A file that needs a sign-in: an `<img src>` would send no token. */
export function fetchBlob(path: string, signal: AbortSignal): Promise<Blob> {
  return sendAndRead('GET', path, { signal }, (response) => reachServer(() => response.blob(), signal));
}

/**
 * A response to be read as a stream, for files of any length. Never counted as a pending write, whatever the
 * method, so the loading overlay does not cover the page.
 */
export function fetchStream(method: 'GET' | 'POST', path: string, options: CallOptions): Promise<Response> {
  return sendOrThrow(method, path, options);
}

async function sendAndRead<T>(
  method: Method,
  path: string,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const finish = method === 'GET' || options.hasOverlay === false ? undefined : trackWrite();
  try {
    return await read(await sendOrThrow(method, path, options));
  } finally {
    finish?.();
  }
}

async function sendOrThrow(method: Method, path: string, options: CallOptions): Promise<Response> {
  const token = authToken();
  const response = await send(method, path, token, options);
  if (response.ok) return response;
  const body = await readBody(response, options.signal);
  const isRefused = response.status === 401 && response.headers.has('WWW-Authenticate');
  // A late answer to an earlier session says nothing about the present one.
  if (isRefused && token !== null && token === authToken()) {
    handleSessionEnded({ userId: Number(currentUserId()), hasDraft: hasDrafts() });
  }
  if (stringProperty(body, 'second_factor') !== undefined) handleSecondFactorNeeded();
  throw new ApiError(
    response.status,
    stringProperty(body, 'message') ?? fallbackMessage(response.status),
    body,
    options.key,
  );
}

async function send(
  method: Method,
  path: string,
  token: string | null,
  options: CallOptions,
): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  if (options.idempotencyKey !== undefined) headers.set('Idempotency-Key', options.idempotencyKey);
  if (options.ifMatch !== undefined) headers.set('If-Match', options.ifMatch);
  const request: RequestInit = { method, headers };
  if (options.signal !== undefined) request.signal = options.signal;
  if (options.body instanceof FormData) request.body = options.body;
  else if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    request.body = JSON.stringify(options.body);
  }
  return reachServer(() => fetch(path, request), options.signal);
}

/** Runs a part of a request. The connection can break while the response is read, too. */
async function reachServer<T>(act: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, UNREACHABLE);
  }
}

/** For responses without a message, e.g. of a proxy whose server is down. */
function fallbackMessage(status: number): string {
  return status >= 502 && status <= 504 ? UNREACHABLE : `The server answered ${status}.`;
}

async function readBody(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const text = await reachServer(() => response.text(), signal);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new ApiError(response.status, UNREADABLE);
    return undefined;
  }
}

function stringProperty(body: unknown, key: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Reflect.get(body, key);
  return typeof value === 'string' ? value : undefined;
}

function fieldErrors(body: unknown): Record<string, string[]> {
  const errors: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'errors') : undefined;
  if (typeof errors !== 'object' || errors === null) return {};
  const fields = Object.entries(errors).flatMap(([field, texts]) =>
    Array.isArray(texts) ? [[field, texts.filter((text) => typeof text === 'string')] as const] : [],
  );
  return Object.fromEntries(fields);
}
