import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { installProbe } from './probe.ts';

const PROBE = '/probe.js';
/** The compiler gives functions their names by a helper, which the page does not have. */
const SOURCE = `{ const __name = (value) => value; (${installProbe})(); }`;

/** The address that a browser opens: it passes everything on to a server, and puts the probe into each page. */
export class Site {
  readonly #server: Server;
  readonly url: string;
  /** What the pages have reported. */
  readonly problems: string[];

  private constructor(server: Server, port: number, problems: string[]) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    this.problems = problems;
  }

  /** @param target the address of the server */
  static async open(target: string): Promise<Site> {
    const problems: string[] = [];
    const server = createServer((incoming, outgoing) => {
      if (incoming.url === PROBE) {
        outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(SOURCE);
      } else if (incoming.url === '/problems') {
        void readAll(incoming).then((text) => problems.push(text));
        outgoing.writeHead(204).end();
      } else passOn(target, incoming, outgoing);
    });
    return new Site(server, await listen(server, 0), problems);
  }

  /** From now on nobody answers at the address, as if the server had stopped. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async restart(): Promise<void> {
    await listen(this.#server, Number(new URL(this.url).port));
  }
}

/** @returns the port */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function readAll(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  // The page is changed, so it must arrive whole, and as text.
  const isPage = incoming.headers.accept?.includes('text/html') ?? false;
  const headers = { ...incoming.headers };
  if (isPage) {
    delete headers['accept-encoding'];
    delete headers['if-none-match'];
  }
  const { method, url = '/' } = incoming;
  const asked = request(new URL(url, target), { method, headers }, (answer) => {
    const { statusCode = 502, headers: own } = answer;
    if (!isPage || !own['content-type']?.startsWith('text/html')) {
      outgoing.writeHead(statusCode, own);
      answer.pipe(outgoing);
      answer.once('error', () => outgoing.destroy());
      return;
    }
    void readAll(answer).then((html) => {
      const { 'content-length': _, etag: __, ...kept } = own;
      outgoing.writeHead(statusCode, { ...kept, 'cache-control': 'no-store' });
      outgoing.end(html.replace('<head>', `<head><script src="${PROBE}"></script>`));
    });
  });
  // The server has stopped: so has its address, for the browser.
  asked.once('error', () => outgoing.destroy());
  incoming.pipe(asked);
  outgoing.once('close', () => asked.destroy());
}
