/** Exits with one line if this Node.js version is too old. Import it first. */
const [major, minor] = process.versions.node.split('.').map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

if (!supported) {
  console.error(
    `SIMS needs Node.js 20.19 or later (of the 22 line: 22.12 or later); this is ${process.version}.`,
  );
  process.exit(1);
}
