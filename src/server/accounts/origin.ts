import type { FastifyRequest } from 'fastify';
import type { Origin } from './sessions.ts';

/** Where a call comes from, as far as it says so. */
export const originOf = ({ ip, headers }: FastifyRequest): Origin => ({
  address: ip,
  userAgent: headers['user-agent'],
});
