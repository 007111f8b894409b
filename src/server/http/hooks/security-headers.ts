import type { FastifyReply, FastifyRequest } from 'fastify';

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
} as const;

export const PAGE_CSP = [
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
  // No code makes a policy, so that none may.
  "trusted-types 'none'",
].join('; ');

const API = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
const PAGE = { ...COMMON, 'content-security-policy': PAGE_CSP };

const transport = (https: boolean) =>
  https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {};

export const apiHeaders = ({ https }: { https: boolean }) => ({ ...API, ...transport(https) });

/**
 * Adds the security headers to a reply. Called by a hook, and directly for replies that Fastify sends before any hook
 * runs.
 */
export function securityHeaders({ https }: { https: boolean }) {
  const api = apiHeaders({ https });
  const page = { ...PAGE, ...transport(https) };
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers(request.url.startsWith('/api') ? api : page);
}
