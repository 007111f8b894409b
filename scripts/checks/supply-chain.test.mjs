import { describe, expect, test } from 'vitest';
import { findProblems, isAllowed, supplyChainProblems } from './supply-chain.mjs';

const good = { version: '1.2.3', integrity: 'sha512-x', license: 'MIT' };
const lockfile = (changes) => ({ packages: { '': {}, 'node_modules/a': { ...good, ...changes } } });

describe('the packages that the product is made of', () => {
  // Covers A95
  test('have exact versions, one source and sums, run nothing when installed, and may be used', () => {
    expect(supplyChainProblems()).toEqual([]);
    expect(findProblems({ dependencies: { a: '1.2.3' } }, lockfile({}))).toEqual([]);
  });

  test.each([
    '^1.2.3',
    '~1.2.3',
    '1.x',
    '*',
    'latest',
    'github:a/b',
    'git+https://x/a.git',
    'file:../a',
    'npm:b@1.0.0',
  ])('may not be asked for as %s', (version) => {
    expect(findProblems({ dependencies: { a: version } }, lockfile({}))).toEqual([
      `a: "${version}" is no exact version`,
    ]);
  });

  // Covers A95
  test.each([
    ['comes by git', { resolved: 'git+ssh://git@x/a.git#abc' }],
    ['comes without encryption', { resolved: 'http://x/a/-/a-1.2.3.tgz' }],
    ['comes as a page', { resolved: 'https://x/a/tarball/main' }],
    ['is a folder', { resolved: '../a', link: true }],
    ['has no sum', { integrity: undefined }],
    ['has a weak sum', { integrity: 'sha1-x' }],
    ['runs a script', { hasInstallScript: true }],
    ['has a licence of its own', { license: 'SEE LICENSE IN LICENSE' }],
    ['has a licence that binds our code', { license: 'AGPL-3.0-only' }],
    ['has no licence', { license: undefined }],
  ])('may hold none that %s', (_, changes) => {
    expect(findProblems({}, lockfile(changes))).toHaveLength(1);
  });

  test.each([
    ['MIT OR GPL-3.0-only', true],
    ['(MIT AND Zlib)', true],
    ['MIT AND GPL-3.0-only', false],
    ['', false],
  ])('may come under %j: %s', (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed);
  });
});
