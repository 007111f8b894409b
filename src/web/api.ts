import { hasDrafts } from './forms/drafts.ts';
import { authToken, endSession } from './session.ts';
import { beginWrite } from './shell/pending-writes.ts';

const UNREACHABLE = 'The server could not be reached. Nothing was lost; try again.';
const UNREADABLE = 'The server gave an answer that could not be read. Try again.';

/** Any answer that is not a success. `status` is 0 when there was no answer at all. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** Refused fields with their texts; empty but for a 422. */
  readonly errors: Record<string, string[]>;
  /** The text that only a wrong current password carries. */
  readonly error: string | undefined;
  /** The whole body, for answers that carry more (the current record of a 412). */
  readonly body: unknown;

  constructor(status: number, message: string, body?: unknown) {
    super(message);
    this.status = status;
    this.body = body;
    this.errors = errorsIn(body);
    this.error = textIn(body, 'error');
  }
}

interface CallOptions {
  body?: unknown;
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
  /** The version an edit was based on (`ETag` of the read). */
  ifMatch?: string | undefined;
  /** A POST that changes nothing: nobody has to wait for it. */
  isRead?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

let sessionEnded = (_isTypedKept: boolean) => {};

/** What to do when the server says that the session is over; set once by the router, which `api` can't import. */
export function onSessionEnded(handler: (isTypedKept: boolean) => void): void {
  sessionEnded = handler;
}

/** The one way to the server. Answers the body of a success, throws {@link ApiError} for everything else. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { body } = await callVersioned<T>(method, path, options);
  return body;
}

/** {@link call} with the version of the record that was answered, for an edit to name what it is based on. */
export function callVersioned<T>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<{ body: T; version: string | undefined }> {
  return exchange(method, path, options, async (response) => ({
    body: (await readBody(response)) as T,
    version: response.headers.get('ETag') ?? undefined,
  }));
}

/** A file that only signed-in people may read; an address alone, as pictures have it, would carry no token. */
export function readFile(path: string, signal: AbortSignal): Promise<Blob> {
  return exchange('GET', path, { signal }, (response) => response.blob());
}

/**
 * An answer to be read as it comes in: a file of any length. Nobody has to wait for it, so nothing covers the screen,
 * whatever the method.
 */
export function openFile(method: 'GET' | 'POST', path: string, options: CallOptions): Promise<Response> {
  return succeed(method, path, options);
}

async function exchange<T>(
  method: Method,
  path: string,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const done = method === 'GET' || options.isRead ? undefined : beginWrite();
  try {
    return await read(await succeed(method, path, options));
  } finally {
    done?.();
  }
}

async function succeed(method: Method, path: string, options: CallOptions): Promise<Response> {
  const response = await send(method, path, options);
  if (response.ok) return response;
  const body = await readBody(response);
  if (response.status === 401 && response.headers.has('WWW-Authenticate') && authToken() !== null) {
    const isTypedKept = hasDrafts();
    endSession();
    sessionEnded(isTypedKept);
  }
  throw new ApiError(response.status, textIn(body, 'message') ?? plainText(response.status), body);
}

async function send(method: Method, path: string, options: CallOptions): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  const token = authToken();
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
  try {
    return await fetch(path, request);
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, UNREACHABLE);
  }
}

/** For answers that bring no words of their own: a proxy's, when the server behind it is away. */
function plainText(status: number): string {
  return status >= 502 && status <= 504 ? UNREACHABLE : `The server answered ${status}.`;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new ApiError(response.status, UNREADABLE);
    return undefined;
  }
}

function textIn(body: unknown, key: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Reflect.get(body, key);
  return typeof value === 'string' ? value : undefined;
}

function errorsIn(body: unknown): Record<string, string[]> {
  const errors: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'errors') : undefined;
  if (typeof errors !== 'object' || errors === null) return {};
  const fields = Object.entries(errors).flatMap(([field, texts]) =>
    Array.isArray(texts) ? [[field, texts.filter((text) => typeof text === 'string')] as const] : [],
  );
  return Object.fromEntries(fields);
}
