import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Institution, InstitutionAddress } from '../../contract/installation/institution.ts';
import type { App, Deps } from '../app-types.ts';

const NOWHERE = 'http://localhost';

/** Where a server listens. */
type Listening = Pick<AddressInfo, 'address' | 'port'>;

/** The address that codes lead to while the institution names none. */
export interface OwnAddress extends Pick<Deps['settings'], 'publicUrl'> {
  /** Undefined of a server that does not listen, as in tests. */
  listening: Listening | undefined;
}

export function findOwnAddress(app: App, { publicUrl }: Deps['settings']): OwnAddress {
  const listening = app.server.address();
  return {
    publicUrl,
    listening: listening === null || typeof listening === 'string' ? undefined : listening,
  };
}

/** The origin as a browser would write it. */
function toOrigin({ address, port }: Listening): string {
  const reachable = address === '0.0.0.0' || address === '::' ? firstInterface() : address;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The first address by which other machines reach this one. */
function firstInterface(): string {
  const known = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return known.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** Where the codes of documents lead while the institution names no address. */
export const defaultAddress = ({ publicUrl, listening }: OwnAddress): InstitutionAddress =>
  publicUrl === undefined
    ? { default_url: listening === undefined ? NOWHERE : toOrigin(listening), source: 'server' }
    : { default_url: publicUrl.origin, source: 'SIMS_PUBLIC_URL' };

/**
 * The address to which the codes and links on documents lead, without a slash at its end. Never what a request names as its host: they
 * lead there for years.
 */
export const getSite = (own: OwnAddress, { public_url }: Pick<Institution, 'public_url'>): string =>
  public_url ?? defaultAddress(own).default_url;
