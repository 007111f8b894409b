import { isIP } from 'node:net';

/** Whether a host, as settings or URLs write it, is this machine. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
