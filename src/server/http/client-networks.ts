import { isIP } from 'node:net';

/** A group of addresses that counts as one client. */
export interface ClientNetwork {
  name: string;
  /** Its limit, as a multiple of that of one client. */
  factor: number;
}

/** A /48 is usually one site with many subnets, so it may have more people than one /64. */
const SITE_FACTOR = 4;

/**
 * The networks of a client address, the narrowest first. An IPv4 address is one network, also as an IPv4-mapped IPv6
 * address. An IPv6 client can use every address of its /64, and often has a whole /48, so both of these count.
 */
export function getNetworks(address: string): readonly [ClientNetwork, ...ClientNetwork[]] {
  const [plain = ''] = address.split('%', 1);
  if (isIP(plain) !== 6) return [{ name: plain, factor: 1 }];
  const groups = parseGroups(plain);
  const mapped = findMappedIpv4(groups);
  if (mapped !== undefined) return [{ name: mapped, factor: 1 }];
  const prefix = (length: number) =>
    `${groups
      .slice(0, length / 16)
      .map((group) => group.toString(16))
      .join(':')}::/${length}`;
  return [
    { name: prefix(64), factor: 1 },
    { name: prefix(48), factor: SITE_FACTOR },
  ];
}

/** The eight groups of an IPv6 address in any notation. */
function parseGroups(address: string): number[] {
  // Parsing a URL rewrites a trailing IPv4 notation as two groups.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [start, end] = [parse(head), parse(tail)];
  return [...start, ...Array<number>(8 - start.length - end.length).fill(0), ...end];
}

/** The IPv4 address of one in `::ffff:0:0/96`. */
function findMappedIpv4(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}
