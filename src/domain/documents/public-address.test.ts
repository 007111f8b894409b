import { describe, expect, test } from 'vitest';
import { isInternalAddress, readPublicAddress } from './public-address.ts';

describe('the public address of an installation', () => {
  test.each([
    ['https://sims.example.edu', 'https://sims.example.edu'],
    ['https://SIMS.example.edu/', 'https://sims.example.edu'],
    ['http://10.0.0.7:3000', 'http://10.0.0.7:3000'],
    ['https://sims.example.edu:443', 'https://sims.example.edu'],
    ['http://sims.example.edu:443', 'http://sims.example.edu:443'],
    ['http://[2001:db8::1]:3000', 'http://[2001:db8::1]:3000'],
  ])('is read from %s', (typed, address) => {
    expect(readPublicAddress(typed)).toBe(address);
  });

  test.each([
    ...['', 'sims.example.edu', 'ftp://sims.example.edu', 'javascript:alert(1)', 'https://'],
    ...['https://sims.example.edu/records', 'https://sims.example.edu/?a', 'https://sims.example.edu/#a'],
    ...[
      'https://user:secret@sims.example.edu',
      'https://sims..example.edu',
      'https://sims.example.edu:70000',
    ],
    // Browsers take these for IPv4 addresses.
    ...['http://127.1', 'http://2130706433', 'http://0x7f.1', 'http://999.1.1.1', 'https://-.example.edu'],
  ])('is not %j', (typed) => {
    expect(readPublicAddress(typed)).toBeUndefined();
  });

  test.each([
    ...['localhost', 'sims.localhost', 'sims', 'records.local', 'sims.internal', '127.0.0.1', '0.0.0.0'],
    ...['10.4.5.6', '172.16.0.1', '172.31.255.255', '192.168.1.20', '169.254.7.7', '100.64.0.1'],
    ...[
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[fe80::1]',
      '[fd00::7]',
      '[::ffff:10.0.0.7]',
      '[::ffff:a00:7]',
    ],
  ])('is internal with the host %s', (host) => {
    expect(readPublicAddress(`http://${host}:3000`)).toBe(`http://${host}:3000`);
    expect(isInternalAddress(`http://${host}:3000`)).toBe(true);
  });

  test.each([
    ...['sims.example.edu', 'local.example.edu', '172.15.0.1', '172.32.0.1', '100.128.0.1', '8.8.8.8'],
    ...['11.0.0.1', '[2001:db8::1]', '[::ffff:8.8.8.8]', '[::ffff:808:808]', 'mylocal.pk'],
  ])('is reached by others with the host %s', (host) => {
    expect(isInternalAddress(`https://${host}`)).toBe(false);
  });
});
