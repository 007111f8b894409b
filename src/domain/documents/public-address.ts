/** Documents carry the address of their installation for decades: whether others than this network reach it. */

/** Scheme, host and port; the host is a name, an IPv4 address, or an IPv6 address in brackets. */
const ADDRESS = /^(https?):\/\/(\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)\.?(?::(\d{1,5}))?\/?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;
/** A host whose last label is a number is read as an IPv4 address by browsers, however it is written. */
const ENDS_IN_NUMBER = /(^|\.)(\d+|0x[\da-f]*)$/;

/** First bytes of the networks that nobody outside of them reaches (RFC 1122, 1918, 3927, 6598). */
const INTERNAL_IPV4 =
  /^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** Unspecified, loopback, link-local and unique local (RFC 4291, 4193). */
const INTERNAL_IPV6 = /^([0:]+1?|fe[89ab][\da-f]:.*|f[cd][\da-f]{2}:.*)$/;
/** Endings of names that no public server answers (RFC 6761, 6762, 8375, and the private use of `internal`). */
const INTERNAL_ENDINGS = ['localhost', 'local', 'internal', 'home.arpa', 'lan', 'intranet'];

/**
 * The address of an installation as it is stored: scheme, host and port. Undefined for any other text, such as one with a path:
 * SIMS is served from the root of its host.
 */
export function readPublicAddress(text: string): string | undefined {
  const [, scheme = '', host = '', port] = ADDRESS.exec(text.trim().toLowerCase()) ?? [];
  const isHost = host.startsWith('[') || !ENDS_IN_NUMBER.test(host) || IPV4.test(host);
  if (host === '' || host.includes('..') || !isHost || Number(port) > 65_535) return undefined;
  return `${scheme}://${host}${port === undefined || port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
}

/** Whether only this machine or its network reaches an address of {@link readPublicAddress}. */
export function isInternalAddress(address: string): boolean {
  const [, , host = ''] = ADDRESS.exec(address) ?? [];
  if (host.startsWith('[')) return isInternalIpv6(host.slice(1, -1));
  if (IPV4.test(host)) return INTERNAL_IPV4.test(host);
  return !host.includes('.') || INTERNAL_ENDINGS.some((ending) => host.endsWith(`.${ending}`));
}

/** An IPv4 address may be written in one of IPv6, as four numbers or as two groups. */
function isInternalIpv6(host: string): boolean {
  const [, mapped = ''] = /^[0:]*:ffff:(.+)$/.exec(host) ?? [];
  if (mapped === '') return INTERNAL_IPV6.test(host);
  if (mapped.includes('.')) return INTERNAL_IPV4.test(mapped);
  const bytes = mapped.split(':').flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return INTERNAL_IPV4.test(bytes.join('.'));
}
