import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

/** A proxy in front of several servers, which sends each request to the next one. */
export interface RoundRobin {
  url: string;
  /** Requests per server. */
  served: readonly number[];
  close(): Promise<void>;
}

export async function roundRobin(urls: readonly [string, ...string[]]): Promise<RoundRobin> {
  const served = urls.map(() => 0);
  let turn = 0;
  const proxy = createServer((asked, answer) => {
    const place = turn % urls.length;
    turn += 1;
    served[place] = (served[place] ?? 0) + 1;
    const { method, headers } = asked;
    const passedOn = request(new URL(asked.url ?? '/', urls[place]), { method, headers, agent: false });
    passedOn.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, answer, () => {});
    });
    passedOn.on('error', () => answer.destroy());
    // The client has disconnected.
    answer.on('close', () => passedOn.destroy());
    pipeline(asked, passedOn, () => {});
  });
  // With a limit, a connection may be closed in the moment in which the client uses it again.
  proxy.keepAliveTimeout = 0;
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    served,
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}
