import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import type { Person } from './people.ts';

/** An open event stream of a mark sheet, as a browser reads it. */
export class SheetStream {
  readonly #response: IncomingMessage;
  readonly events: { event: string; data: unknown }[] = [];
  /** Whether the server has ended it, in good order or not. */
  isOver = false;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    let rest = '';
    response
      .setEncoding('utf8')
      .on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
          if (event !== undefined && data !== undefined) this.events.push({ event, data: JSON.parse(data) });
        }
      })
      .on('error', () => {})
      .on('close', () => {
        this.isOver = true;
      });
  }

  /** Sends the call and answers its response; that of a stream does not end. */
  static request(url: string, { token }: Pick<Person, 'token'>, sheetId: number): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request(new URL(`/api/sheets/${sheetId}/events`, url), {
        agent: false,
        headers: { authorization: `Bearer ${token}` },
      })
        .once('response', resolve)
        .once('error', reject)
        .end();
    });
  }

  /** Opens a stream and waits until the person is named in it. */
  static async open(url: string, person: Person, sheetId: number): Promise<SheetStream> {
    const response = await SheetStream.request(url, person, sheetId);
    expect(response.statusCode).toBe(200);
    const stream = new SheetStream(response);
    await stream.has('people', {
      people: expect.arrayContaining([{ id: person.user.id, name: person.user.name }]),
    });
    return stream;
  }

  /** Waits until such an event has arrived. */
  async has(event: string, data: unknown): Promise<void> {
    await expect.poll(() => this.events, WAITING).toContainEqual({ event, data });
  }

  /** Waits until the server has ended the stream. */
  async ends(): Promise<void> {
    await expect.poll(() => this.isOver, WAITING).toBe(true);
  }

  /** Reads nothing more, as a client whose network is gone. */
  pause(): void {
    this.#response.pause();
  }

  close(): void {
    this.#response.destroy();
  }
}

const WAITING = { timeout: 30_000 };
