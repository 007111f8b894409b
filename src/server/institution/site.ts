import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Institution, InstitutionAddress } from '../../contract/institution.ts';
import type { App, Deps } from '../app-types.ts';

/** Of a server that does not listen, as in tests. */
const NOWHERE = 'http://localhost';

/** The address at which the server listens, as a browser would write it. */
function listeningAddress(app: App): string {
  const listening = app.server.address();
  if (listening === null || typeof listening === 'string') return NOWHERE;
  const { address, family, port } = isWildcard(listening) ? { ...listening, ...firstInterface() } : listening;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const isWildcard = ({ address }: AddressInfo) => address === '0.0.0.0' || address === '::';

/** The first address by which other machines reach this one. */
function firstInterface(): Pick<AddressInfo, 'address' | 'family'> {
  const known = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return (
    known.find(({ family, internal }) => family === 'IPv4' && !internal) ?? {
      address: '127.0.0.1',
      family: 'IPv4',
    }
  );
}

/** Where the codes of documents lead while the institution names no address. */
export const defaultAddress = (app: App, { publicUrl }: Deps['settings']): InstitutionAddress =>
  publicUrl === undefined
    ? { default_url: listeningAddress(app), source: 'server' }
    : { default_url: publicUrl.origin, source: 'SIMS_PUBLIC_URL' };

/**
 * The address to which the codes and links on documents lead, without a slash at its end. Never what a request names as its host: they
 * lead there for years.
 */
export const getSite = (
  app: App,
  settings: Deps['settings'],
  { public_url }: Pick<Institution, 'public_url'>,
): string => public_url ?? defaultAddress(app, settings).default_url;
