import { describe, expect, test } from 'vitest';
import { getNetworks } from './client-networks.ts';

const names = (address: string) => getNetworks(address).map(({ name }) => name);

describe('the networks of a client address', () => {
  // Covers A8
  test.for([
    ['192.0.2.7', ['192.0.2.7']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['::ffff:c000:207', ['192.0.2.7']],
    ['0:0:0:0:0:FFFF:192.0.2.7', ['192.0.2.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:0DB8:0001:0002::1', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['1::', ['1:0:0:0::/64', '1:0:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
    ['', ['']],
    ['unknown', ['unknown']],
  ] as const)('of %s are %o', ([address, expected]) => {
    expect(names(address)).toEqual(expected);
  });

  test('allow a /48 network more attempts than a /64 network', () => {
    const [client, site] = getNetworks('2001:db8::1');
    expect(client.factor).toBe(1);
    expect(site?.factor).toBeGreaterThan(1);
  });
});
