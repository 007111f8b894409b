import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { requireActor } from '../actor.ts';

/** Calls that take much memory or time. `batch`: a file of many documents, for whose minute lists and single ones do not wait. */
type HeavyKind = 'upload' | 'preview' | 'print' | 'batch';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only some of these run at a time. */
    heavy?: HeavyKind;
  }
  interface FastifyRequest {
    /** Aborted when the caller of a heavy call leaves before its reply. */
    left: AbortSignal;
  }
}

type HeavyLimits = Deps['settings']['heavyCalls'];

/** A call waits this long for its turn. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER = 5;
/** Calls of a kind that wait at a time, and of one person. */
const MAX_WAITING = { all: 100, perPerson: 10 };

const REFUSALS: Readonly<Record<HeavyKind, string>> = {
  upload: 'Too many files are being read at the moment. Try again in a few seconds.',
  preview: 'Too many previews are being made at the moment. Try again in a few seconds.',
  print: 'Too many files are being printed at the moment. Try again in a few seconds.',
  batch: 'Too many files of many documents are being printed at the moment. Try again in a few seconds.',
};

interface Waiting {
  person: number;
  start: () => void;
}

/** The calls of one kind. */
class CallTurns {
  readonly #kind: HeavyKind;
  readonly #most: number;
  readonly #perPerson: number;
  /** The people whose calls run. */
  readonly #running: number[] = [];
  readonly #waiting = new Set<Waiting>();

  constructor(kind: HeavyKind, most: number, perPerson: number) {
    this.#kind = kind;
    this.#most = most;
    this.#perPerson = perPerson;
  }

  /**
   * Waits until the call may run.
   *
   * @returns to be called at its end
   * @throws AppError unavailable when that takes too long; the reason of `left`
   */
  async take(person: number, left: AbortSignal): Promise<() => void> {
    if (!this.#mayRun(person)) await this.#wait(person, left);
    this.#running.push(person);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#running.splice(this.#running.indexOf(person), 1);
      this.#startNext();
    };
  }

  #mayRun(person: number): boolean {
    const own = this.#running.filter((one) => one === person).length;
    return this.#running.length < this.#most && own < this.#perPerson;
  }

  #wait(person: number, left: AbortSignal): Promise<void> {
    const own = [...this.#waiting].filter((one) => one.person === person).length;
    if (this.#waiting.size >= MAX_WAITING.all || own >= MAX_WAITING.perPerson) throw this.#refusal();
    return new Promise((resolve, reject) => {
      const end = (act: () => void) => {
        clearTimeout(timer);
        left.removeEventListener('abort', leave);
        this.#waiting.delete(waiting);
        act();
      };
      const leave = () => end(() => reject(left.reason));
      const waiting = { person, start: () => end(resolve) };
      const timer = setTimeout(() => end(() => reject(this.#refusal())), MAX_WAIT_MS);
      left.addEventListener('abort', leave);
      this.#waiting.add(waiting);
    });
  }

  /** Starts the first call that may run. */
  #startNext(): void {
    for (const one of this.#waiting) {
      if (!this.#mayRun(one.person)) continue;
      one.start();
      return;
    }
  }

  #refusal = () => new AppError('unavailable', REFUSALS[this.#kind], { retryAfter: RETRY_AFTER });
}

/** A heavy call from its turn on. */
interface HeavyCall {
  end: () => void;
  isHandled: boolean;
  isReplied: boolean;
}

const STAYS = new AbortController().signal;

/**
 * Lets only some heavy calls run at a time, before their bodies are read. The others wait for a while, and are refused then. A
 * turn ends when the call has been handled and its connection is free, since a caller may leave before.
 */
export function limitHeavyCalls(scope: App, limits: HeavyLimits): void {
  const turns: Readonly<Record<HeavyKind, CallTurns>> = {
    upload: new CallTurns('upload', limits.upload, limits.perPerson),
    preview: new CallTurns('preview', limits.preview, limits.perPerson),
    print: new CallTurns('print', limits.print, limits.perPerson),
    batch: new CallTurns('batch', limits.print, limits.perPerson),
  };
  const calls = new WeakMap<FastifyRequest, HeavyCall>();
  const endWhenDone = ({ end, isHandled, isReplied }: HeavyCall) => {
    if (isHandled && isReplied) end();
  };
  scope.decorateRequest('left', { getter: () => STAYS });
  scope.addHook('preParsing', async (request, reply) => {
    const { heavy } = request.routeOptions.config;
    if (heavy === undefined) return;
    const left = watchCaller(request, reply);
    const end = await turns[heavy].take(requireActor(request).id, left);
    const call: HeavyCall = { end, isHandled: true, isReplied: reply.raw.closed };
    calls.set(request, call);
    reply.raw.once('close', () => {
      call.isReplied = true;
      endWhenDone(call);
    });
    endWhenDone(call);
  });
  scope.addHook('onRoute', (route) => {
    if (route.config?.heavy === undefined) return;
    const { handler } = route;
    route.handler = async function handleHeavy(request, reply) {
      const call = calls.get(request);
      if (call !== undefined) call.isHandled = false;
      try {
        return await handler.call(this, request, reply);
      } finally {
        if (call !== undefined) {
          call.isHandled = true;
          endWhenDone(call);
        }
      }
    };
  });
}

function watchCaller(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  raw.once('close', () => {
    if (!raw.writableEnded) leaving.abort(new AppError('unavailable', 'The caller has left.'));
  });
  Object.defineProperty(request, 'left', { value: leaving.signal });
  return leaving.signal;
}
