import { once } from 'node:events';
import { WebSocket } from 'ws';

const ANSWERS_WITHIN_MS = 120_000;

interface Answer {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A connection over WebDriver BiDi. */
export class Bidi {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as Answer));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values())
        reject(new Error('The browser closed the connection.'));
    });
  }

  static async connect(url: string): Promise<Bidi> {
    const socket = new WebSocket(url, { maxPayload: 0 });
    await once(socket, 'open');
    return new Bidi(socket);
  }

  #receive({ id, result, error, message }: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(`${error}: ${message}`));
  }

  call<Result>(method: string, params: object): Promise<Result> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} took too long.`)), ANSWERS_WITHIN_MS);
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        resolve: (result) => {
          end();
          resolve(result as Result);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      this.#socket.send(JSON.stringify({ id, method, params }), (error) => {
        if (error) this.#waiting.get(id)?.reject(error);
      });
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
