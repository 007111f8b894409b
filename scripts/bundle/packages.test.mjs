import { expect, test } from 'vitest';
import { packagesOf } from './packages.mjs';
import { PLATFORMS } from './platforms.mjs';

const LOCKED = {
  'node_modules/sharp': {
    version: '1.0.0',
    integrity: 'a',
    dependencies: { semver: '^7' },
    optionalDependencies: {
      '@img/sharp-linux-x64': '1',
      '@img/sharp-linuxmusl-x64': '1',
      '@img/sharp-win32-x64': '1',
    },
  },
  'node_modules/semver': { version: '7.0.0', integrity: 'b' },
  'node_modules/@photostructure/sqlite': { version: '1.2.1', integrity: 'c' },
  'node_modules/@img/sharp-linux-x64': {
    version: '1.0.0',
    integrity: 'd',
    os: ['linux'],
    cpu: ['x64'],
    libc: ['glibc'],
  },
  'node_modules/@img/sharp-linuxmusl-x64': {
    version: '1.0.0',
    integrity: 'e',
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
  },
  'node_modules/@img/sharp-win32-x64': { version: '1.0.0', integrity: 'f', os: ['win32'], cpu: ['x64'] },
};

test('a bundle has the native packages of its platform with all that they need, and no others', () => {
  const names = (platform) => packagesOf(PLATFORMS[platform], LOCKED).map(({ name }) => name);
  expect(names('linux-x64')).toEqual(['@img/sharp-linux-x64', 'semver', 'sharp']);
  expect(names('win32-x64')).toEqual(['@img/sharp-win32-x64', 'semver', 'sharp']);
});

test('the lockfile has a binary of each native package for every platform', () => {
  for (const [name, platform] of Object.entries(PLATFORMS)) {
    const found = packagesOf(platform).map(({ name: one }) => one);
    expect(found, name).toContainEqual(expect.stringMatching(`^@img/sharp-${platform.os}-${platform.cpu}$`));
    expect(found, name).toContainEqual(
      expect.stringMatching(`^@img/sharp-libvips-${platform.os}-|^@img/sharp-win32`),
    );
    expect(found, name).toContainEqual(
      expect.stringMatching(`^@node-rs/argon2-${platform.os}-${platform.cpu}`),
    );
  }
});
