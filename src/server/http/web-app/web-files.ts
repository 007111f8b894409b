import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FixedDocument } from '../replies/fixed-document.ts';

/** Media types of the files that the build makes. */
const TYPES = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'application/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/** Encodings and the suffixes of their files, the smallest first. */
const VARIANTS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Reads the files of the built web application, less than 2 MiB, so that they are served from memory: with a stream from disk
 * for each request, the answers to 1,800 pipelined requests took more than 50 MiB.
 *
 * @returns for the path of each file, what answers a request for it
 */
export function readWebFiles(folder: string): ReadonlyMap<string, Send> {
  const files = new Map<string, Send>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !VARIANTS.some(({ suffix }) => suffix === extname(file)))
      files.set(`/${relative(folder, file).replaceAll('\\', '/')}`, sendFile(folder, file));
  }
  return files;
}

function sendFile(folder: string, file: string): Send {
  const type = TYPES.get(extname(file)) ?? 'application/octet-stream';
  // Names under assets/ contain a hash of their content.
  const forever = file.startsWith(join(folder, 'assets'));
  const headers = {
    'cache-control': forever ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  };
  const read = (suffix: string, more: Record<string, string> = {}) => {
    const content = readFileSync(file + suffix);
    return new FixedDocument(type, () => content, { ...headers, ...more });
  };
  const plain = read('');
  const encoded = VARIANTS.filter(({ suffix }) => existsSync(file + suffix)).map(({ encoding, suffix }) => ({
    encoding,
    document: read(suffix, { 'content-encoding': encoding }),
  }));
  return (request, reply) => {
    const getWeight = parseWeights(request.headers['accept-encoding']);
    const [best] = encoded
      .filter(({ encoding }) => getWeight(encoding) > 0)
      .sort((a, b) => getWeight(b.encoding) - getWeight(a.encoding));
    return (best?.document ?? plain).send(request, reply);
  };
}

/** The weights in `Accept-Encoding` (RFC 9110, 12.5.3): `br;q=0.5, gzip, *;q=0`. An encoding that is not accepted has 0. */
function parseWeights(header: unknown): (encoding: string) => number {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', weight = '1'] = part.trim().split(/\s*;\s*q=/);
        return [name, Number(weight)];
      }),
  );
  return (encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
}
