import type { FastifyInstance } from 'fastify';

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
} as const;

export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const API = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
const PAGE = { ...COMMON, 'content-security-policy': PAGE_POLICY };

/** Headers that tell browsers how little these answers may do; the same for every answer of a kind, so written once. */
export function addSecurityHeaders(app: FastifyInstance, { https }: { https: boolean }): void {
  const transport = https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {};
  const api = { ...API, ...transport };
  const page = { ...PAGE, ...transport };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/api') ? api : page);
    done();
  });
}
